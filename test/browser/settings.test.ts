// The settings in a real browser: each task once, every tab on a desktop and on a phone.
/// <reference lib="dom" />
import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { leaveNothingBehind, startBinary, tempFolder, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { chatReply, errorReply, startModelServer } from "../support/model-server.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { enterDemo, misdeeds } from "./dashboard-visit.ts";
import { PAGES } from "../../src/web/pages.ts";

closeBrowsers();
leaveNothingBehind();

const PASSWORD = "correct horse battery";

let server: Running;
let visitor: Visit;
let page: Page;
beforeAll(async () => {
  server = await startBinary({ env: { RINGWARD_MODELS__ALLOW: "127.0.0.1" } });
  visitor = await enterDemo(server, "/dashboard/settings");
  ({ page } = visitor);
}, 180_000);

const open = async (path: string) => {
  await page.goto(`${server.url}/dashboard${path}`);
  await page.locator("main .card, main .tiles").first().waitFor();
};
const said = (text: string) => page.locator(".toast", { hasText: text }).first().waitFor();

describe("the settings", () => {
  test("rename the hospital, and the frame shows it", async () => {
    await open("/settings/organisation");
    await page.getByLabel("Name of the hospital").fill("Demo Clinic");
    await page.getByRole("button", { name: "Save" }).click();
    await said("saved");
    await page.locator(".brand", { hasText: "Demo Clinic" }).waitFor();
  });

  test("set how calls are recorded, and an agent's page shows the mode in effect", async () => {
    await open("/settings/organisation");
    const mode = page.getByLabel("How calls are recorded");
    expect(await mode.locator("option").first().textContent()).toBe("As this appliance: Announce");
    await mode.selectOption("ask");
    await page.getByText("After a no the call continues without it.").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await said("saved");
    expect(await faultsOnBoth(visitor, "organisation")).toEqual([]);
    await open("/agents");
    await page.locator("main .card a, main td a, main th a").first().click();
    await page.getByText("In effect: Ask first.").waitFor();
    await page.getByLabel("How calls are recorded").selectOption("off");
    await page.getByText("In effect: Do not record.").waitFor();
  });

  test("enable sharing, with an expiry", async () => {
    await open("/settings/sharing");
    await page.getByLabel("Share completed calls by link").check();
    await page.getByLabel("New links expire after").selectOption("week");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".badge", { hasText: "On" }).waitFor();
  });

  test("show the rules, try a number, and loosen a rule with a reason alone", async () => {
    await open("/settings/rules");
    await page.getByLabel("Number", { exact: true }).fill("+1 800 555 0100");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("Not known: the rules of every state apply").waitFor();
    await page.getByLabel("Number", { exact: true }).fill("+1 416 555 0100");
    await page.getByRole("button", { name: "Show" }).click();
    await page.locator(".rules-found", { hasText: "Canada" }).waitFor();
    const ofStates = page.locator("details.rules-of-states");
    expect(await ofStates.getByRole("rowheader", { name: "In Canada" }).isVisible()).toBeFalse();
    await ofStates.locator("summary").click();
    await ofStates.getByRole("rowheader", { name: "In Canada" }).waitFor();
    expect(await faultsOnBoth(visitor, "rules")).toEqual([]);
    await page.getByRole("button", { name: "Change: Hours, Every call" }).first().click();
    await page.getByLabel("From").fill("07:00");
    await page.getByText("This is looser than the rule").first().waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".field.wrong").first().waitFor();
    await page.getByLabel("Reason").fill("Dialysis patients are called before eight.");
    await page.getByRole("button", { name: "Save" }).click();
    await said("The rule was changed.");
    await page.getByText("Dialysis patients are called before eight.").first().waitFor();
  });

  test("edit the pronunciation list: set, reject, remove", async () => {
    await open("/settings/pronunciation");
    await page.getByText("No entries yet.").waitFor();
    const set = async (word: string, said: string) => {
      await page.getByLabel("Word", { exact: true }).fill(word);
      await page.getByLabel("Said as").fill(said);
      await page.getByRole("button", { name: "Save", exact: true }).click();
    };
    await set("Sharma", "sh4rma");
    await page.locator(".field.wrong", { hasText: "SHAR-ma" }).waitFor();
    await set("Sharma", "SHAR-ma");
    await page.getByRole("rowheader", { name: "Sharma" }).waitFor();
    expect(await faultsOnBoth(visitor, "pronunciation")).toEqual([]);
    await page.getByRole("button", { name: "Remove Sharma" }).click();
    await page.getByText("No entries yet.").waitFor();
  });

  test("manage a model server: added, rejected where not allowed, tested, selected by an agent, removed", async () => {
    const model = await startModelServer();
    model.answer = ({ json }) =>
      json.tools ? errorReply(400) : chatReply({ text: json.response_format ? "no" : "one, two, three" });
    try {
      await open("/settings/models");
      await page.getByText("Every call uses the built-in engines").waitFor();
      await page.getByRole("button", { name: "Add server" }).click();
      const dialog = page.locator("dialog[open]");
      await dialog.getByLabel("Name").fill("GPU");
      await dialog.getByLabel("Model", { exact: true }).fill("test-model");
      await dialog.getByLabel("Address").fill("http://10.1.1.1/v1");
      await dialog.getByRole("button", { name: "Add server" }).click();
      await dialog.locator(".field.wrong", { hasText: "models.allow" }).waitFor();
      await dialog.getByLabel("Address").fill(model.baseUrl);
      await dialog.getByLabel("Key", { exact: true }).fill("sk-very-secret");
      expect(await faultsOnBoth(visitor, "model server dialog")).toEqual([]);
      await dialog.getByRole("button", { name: "Add server" }).click();
      // It was tried before it became the default, and its answers are shown.
      await said("GPU was added and tried");
      await page.getByText("It uses no tools").waitFor();
      await page.getByRole("button", { name: "Try it: GPU" }).click();
      await page.getByText("It streams").waitFor();
      await page.getByText("It uses no tools").waitFor();
      expect(await faultsOnBoth(visitor, "models")).toEqual([]);
      await open("/agents");
      await page.locator("main a[href*='/dashboard/agents/agt_']").first().click();
      await page.getByLabel("Language: leads the conversation").selectOption({ label: "Built-in" });
      await said("The choice was saved.");
      await open("/settings/models");
      await page.getByRole("button", { name: "Remove GPU" }).click();
      await page.locator("dialog[open]").getByRole("button", { name: "Remove" }).click();
      await page.getByText("Every call uses the built-in engines").waitFor();
      expect(await page.content()).not.toContain("sk-very-secret");
    } finally {
      await model.stop();
    }
  });

  test("edit the do-not-disturb list: add, reject, import with a report, search, remove, export", async () => {
    await open("/settings/do-not-disturb");
    await page.getByText("The list is empty").waitFor();
    await page.getByLabel("Number", { exact: true }).fill("12345");
    await page.getByRole("button", { name: "Add number" }).click();
    await page.locator(".field.wrong", { hasText: "E.164" }).waitFor();
    await page.getByLabel("Number", { exact: true }).fill("+91 98100 12345");
    await page.getByRole("button", { name: "Add number" }).click();
    await page.getByRole("rowheader", { name: "+919810012345" }).waitFor();

    const file = join(tempFolder(), "numbers.csv");
    writeFileSync(
      file,
      ["number", ...Array.from({ length: 1_200 }, (_, i) => `+1555556${1000 + i}`), "nonsense"].join("\n"),
    );
    await page.getByRole("button", { name: "Import CSV" }).click();
    await page.getByLabel("CSV file").setInputFiles(file);
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("1,201 of 1,201 lines. 1,200 added, 0 already on the list.").waitFor();
    expect(await page.locator(".import-refused tbody tr").allTextContents()).toEqual([
      expect.stringMatching(/^1202nonsensenumber must be E\.164/),
    ]);
    expect(await faultsOnBoth(visitor, "import")).toEqual([]);
    await page.keyboard.press("Escape");

    await page.getByText("1,201 on the list").waitFor();
    await page.getByLabel("Search by digits").fill("98100");
    await page.getByRole("button", { name: "Remove +919810012345" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("No number on the list contains these digits.").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export CSV" }).click(),
    ]);
    expect(
      readFileSync(await download.path(), "utf8")
        .trimEnd()
        .split("\r\n"),
    ).toHaveLength(1_201);
  }, 180_000);

  test("add a person, make them a viewer, disable them; the own account cannot be changed", async () => {
    await open("/settings/people");
    await page.getByRole("button", { name: "Add person" }).click();
    const dialog = page.locator("dialog[open]");
    await dialog.getByLabel("Name", { exact: true }).fill("Nurse");
    await dialog.getByLabel("E-mail address").fill("nurse@hospital.example");
    await dialog.getByLabel("Password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Add person" }).click();
    await page.getByRole("row", { name: /Nurse.*Staff.*Active/ }).waitFor();
    expect(await page.getByRole("button", { name: "Change Demo Owner" }).count()).toBe(0);
    await page.getByRole("button", { name: "Change Nurse" }).click();
    expect(await faultsOnBoth(visitor, "person")).toEqual([]);
    await dialog.getByLabel("Role").selectOption("viewer");
    await dialog.locator("form", { hasText: "Role" }).getByRole("button", { name: "Save" }).click();
    await page.getByRole("row", { name: /Nurse.*Viewer/ }).waitFor();
    await page.getByRole("button", { name: "Change Nurse" }).click();
    await dialog.getByRole("button", { name: "Disable" }).click();
    await page.getByRole("row", { name: /Nurse.*Disabled/ }).waitFor();
  });

  test("bind a person to a branch, make them a doctor, and let them see everything again", async () => {
    await open("/settings/people");
    const dialog = page.locator("dialog[open]");
    const change = async (act: () => Promise<void>, row: RegExp) => {
      await page.getByRole("button", { name: "Change Nurse" }).click();
      await act();
      await dialog.locator("form", { hasText: "Role" }).getByRole("button", { name: "Save" }).click();
      await page.getByRole("row", { name: row }).waitFor();
    };
    const branch = dialog.getByRole("group", { name: "Branches" }).getByRole("checkbox").first();
    await change(() => branch.check(), /Nurse.*Viewer.*Branches: 1/);
    await change(async () => {
      await dialog.getByLabel("Role").selectOption("doctor");
      await dialog.getByLabel("Practitioner").fill("prac-7");
    }, /Nurse.*Doctor.*prac-7/);
    await change(
      async () => void (await dialog.getByLabel("Role").selectOption("viewer")),
      /Nurse.*Viewer(?!.*prac-7)/,
    );
  });

  test("show the audit log, filtered by action", async () => {
    await open("/settings/audit");
    await page.getByLabel("Show").selectOption("person");
    await page.locator("tbody tr", { hasText: "enabled: no" }).waitFor();
    expect(await page.locator("tbody tr").first().textContent()).toContain("Demo Owner");
    await page.locator("tbody tr", { hasText: "Sharing changed" }).waitFor({ state: "detached" });
  });

  test("create a backup and download it", async () => {
    await open("/settings/data");
    await page.getByRole("button", { name: "Back up now" }).click();
    const link = page.getByRole("link", { name: "Download" });
    await link.waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    expect(
      readFileSync(await download.path())
        .subarray(0, 11)
        .toString(),
    ).toBe("ringward.db");
  });

  test("change the own password without ending the session", async () => {
    await open("/settings/account");
    await page.getByLabel("Current password").fill("not this one");
    await page.getByLabel("New password").fill("another long password");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("This is not your current password.").first().waitFor();
    await page.getByLabel("Current password").fill(server.demo["password"]!);
    await page.getByRole("button", { name: "Change password" }).click();
    await said("Your password was changed.");
    await open("/settings/system");
    await page.getByText("Ready").waitFor();
  });

  test("have no axe violations on any tab", async () => {
    for (const tab of Object.keys(PAGES.settings.tabs)) {
      await open(`/settings/${tab}`);
      expect([tab, ...(await faultsOnBoth(visitor, tab))]).toEqual([tab]);
    }
  }, 180_000);
});

describe("a viewer", () => {
  test("has no controls to change anything", async () => {
    await open("/settings/people");
    await page.getByRole("button", { name: "Change Nurse" }).click();
    await page.locator("dialog[open]").getByRole("button", { name: "Enable" }).click();
    await said("can sign in again");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByLabel("E-mail address").fill("nurse@hospital.example");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.locator(".who", { hasText: "Nurse" }).waitFor();
    for (const tab of ["organisation", "sharing", "trunks", "do-not-disturb", "pronunciation", "people", "data"]) {
      await open(`/settings/${tab}`);
      expect(`${tab}: ${await page.locator("main button:not([disabled])", { hasNotText: "Show more" }).count()}`).toBe(
        `${tab}: 0`,
      );
    }
    expect(await page.getByRole("link", { name: "Audit log" }).count()).toBe(0);
    await page.goto(`${server.url}${PAGES.newCampaign.path}`);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await open("");
    expect(await page.getByRole("heading", { name: "First steps" }).count()).toBe(0);
  });
});

test("no other host was contacted, and the page violated no policy", () => {
  // The wrong password was rejected on purpose.
  expect(misdeeds(server, visitor).filter((text) => !/status of 400/.test(text))).toEqual([]);
});
