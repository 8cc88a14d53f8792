// Daily behaviour across all pages: language, lock, unsaved changes, persistent notices, unknown addresses.
/// <reference lib="dom" />
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
import { closeBrowsers, PATIENCE_MS, type Visit } from "../support/browser.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { enterDemo, misdeeds, PHONE } from "./dashboard-visit.ts";
import { isPageOpen, MENU, pathOf, tabsOf } from "../../src/web/pages.ts";
import { en } from "../../src/web/words/en.ts";

closeBrowsers();
leaveNothingBehind();

let server: Running;
let visitor: Visit;
beforeAll(async () => void (server = await startBinary()), 180_000);
beforeEach(async () => void (visitor = await enterDemo(server, "/dashboard")), 120_000);
afterEach(() => visitor.close());

const open = (path: string) => visitor.page.goto(`${server.url}${path}`);
const heading = (name: string) => visitor.page.getByRole("heading", { name, level: 1 });
const writeNewPerson = async () => {
  await open("/dashboard/settings/people");
  await visitor.page.getByRole("button", { name: "Add person" }).click();
  const name = visitor.page.getByRole("dialog").getByLabel("Name");
  await name.fill("Half Written");
  return name;
};

describe("Hindi", () => {
  test("is selected in the account, applies to every page and passes the visual checks", async () => {
    const { page } = visitor;
    await open("/dashboard/settings/account");
    await page.getByRole("combobox", { name: "Language" }).selectOption({ label: "हिन्दी" });
    await heading("सेटिंग").waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("hi");
    await open("/dashboard/calls");
    await heading("कॉल").waitFor();
    expect(await faultsOnBoth(visitor, "walk-hindi-calls")).toEqual([]);
    await open("/dashboard/settings/account");
    await page.getByRole("combobox", { name: "भाषा" }).selectOption({ label: "English" });
    await heading("Settings").waitFor();
    expect(misdeeds(server, visitor)).toEqual([]);
  }, 180_000);

  test("is used on the sign-in page for a browser that prefers it", async () => {
    const context = await visitor.context.browser()!.newContext({ locale: "hi-IN" });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    await page.goto(`${server.url}/dashboard`);
    await page.getByRole("heading", { name: "साइन इन" }).waitFor();
    await context.close();
  }, 180_000);
});

describe("unsaved input", () => {
  test("is asked about before navigation, and stays if the user stays", async () => {
    const { page } = visitor;
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await open("/dashboard/settings/organisation");
    await page.getByLabel("Name of the hospital").fill("Half Written");
    await page.getByRole("link", { name: "Calls", exact: true }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    expect(asked).toEqual([
      "Your changes are not saved. Leave without saving?",
      "Your changes are not saved. Leave without saving?",
    ]);
    expect(await page.getByLabel("Name of the hospital").inputValue()).toBe("Half Written");
  }, 180_000);

  test("is restored after the session ended and the same person signed in", async () => {
    const { page } = visitor;
    const name = await writeNewPerson();
    const cookies = await visitor.context.cookies(`${server.url}/dashboard/api/`);
    await fetch(`${server.url}/dashboard/api/logout`, {
      method: "POST",
      headers: { cookie: cookies.map((one) => `${one.name}=${one.value}`).join("; "), "x-ringward-dashboard": "1" },
    });
    await page.evaluate(() => void dispatchEvent(new Event("ringward:stream-refused")));
    await page.getByText("carry on with what you were writing").waitFor();
    expect(await page.content()).not.toContain("Half Written");
    await page.getByRole("button", { name: "Enter the demo hospital" }).click();
    await name.waitFor();
    expect(await name.inputValue()).toBe("Half Written");
  }, 180_000);
});

describe("an idle computer", () => {
  test("is locked in every tab, unlocks with the form unchanged, and the server rejects requests meanwhile", async () => {
    const { page, context } = visitor;
    const name = await writeNewPerson();
    const other = await context.newPage();
    await other.goto(`${server.url}/dashboard/calls`);
    await other.getByRole("heading", { name: "Calls" }).waitFor();
    await page.bringToFront();
    await page.evaluate(() => localStorage.setItem("ringward-touched-at", String(Date.now() - 16 * 60_000)));
    for (const tab of [page, other]) await tab.getByRole("heading", { name: "Locked" }).waitFor();
    expect(await page.content()).not.toContain("Half Written");
    const status = await page.evaluate(async () => {
      for (;;) {
        const answer = await fetch("/dashboard/api/session");
        if (answer.status !== 200) return answer.status;
      }
    });
    expect(status).toBe(403);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Unlock" }).click();
    await page.getByText("This is not your password.").waitFor();
    expect(await faultsOnBoth(visitor, "walk-locked")).toEqual([]);
    await page.getByRole("button", { name: "Back to the demo hospital" }).click();
    await name.waitFor();
    expect(await name.inputValue()).toBe("Half Written");
    await other.getByRole("heading", { name: "Calls" }).waitFor();
  }, 240_000);
});

test("seven tabs share one event stream, and a call appears in all of them", async () => {
  const { page, context } = visitor;
  let opened = 0;
  context.on("request", (request) => void (opened += request.url().endsWith("/dashboard/api/changes") ? 1 : 0));
  const tabs = [page];
  while (tabs.length < 7) tabs.push(await context.newPage());
  for (const tab of tabs) {
    await tab.goto(`${server.url}/dashboard/calls`);
    await tab.getByRole("heading", { name: "Calls" }).waitFor();
  }
  // One is open at a time; a tab that navigates opens its own again.
  expect(opened).toBeLessThan(4);
  await fetch(`${server.url}/v1/calls`, {
    method: "POST",
    headers: { "x-api-key": server.demo["api_key"]!, "content-type": "application/json" },
    body: JSON.stringify({ agent_id: server.demo["agent_id"], user_number: "+919810012345", user_name: "Seven Tabs" }),
  });
  for (const tab of tabs) await tab.getByText("Seven Tabs").first().waitFor();
}, 300_000);

test("simulated calls are marked beside every page, in the list and on the call's page", async () => {
  const { page } = visitor;
  const made = await fetch(`${server.url}/v1/calls`, {
    method: "POST",
    headers: { "x-api-key": server.demo["api_key"]!, "content-type": "application/json" },
    body: JSON.stringify({ agent_id: server.demo["agent_id"], user_number: "+15555550100", user_name: "Played Only" }),
  });
  const { data } = (await made.json()) as { data: { call_id: string } };
  await open(`/dashboard/calls/${data.call_id}`);
  const chip = page.getByRole("link", { name: "· no phone rings" });
  await chip.waitFor();
  expect(await chip.getAttribute("href")).toBe("/dashboard/settings/trunks");
  await page.getByText("Simulated", { exact: true }).first().waitFor();
  const seen = await fetch(`${server.url}/v1/calls/${data.call_id}`, {
    headers: { "x-api-key": server.demo["api_key"]! },
  });
  expect(
    ((await seen.json()) as { simulated?: boolean; data?: { simulated: boolean } }).data?.simulated ?? true,
  ).toBeTrue();
  await open("/dashboard/calls");
  await page.getByText("Simulated", { exact: true }).first().waitFor();
  expect(await faultsOnBoth(visitor, "walk-simulated")).toEqual([]);
}, 240_000);

test("says when the appliance does not answer, and when it answers again", async () => {
  const { page, context } = visitor;
  await open("/dashboard/calls");
  await heading("Calls").waitFor();
  await context.setOffline(true);
  await page.getByRole("link", { name: "Agents", exact: true }).click();
  await page.getByText("What you see may be out of date").waitFor();
  await context.setOffline(false);
  await page.getByText("What you see may be out of date").waitFor({ state: "detached" });
}, 180_000);

test("the menu links to every page, and every tab has an address", async () => {
  const { page } = visitor;
  const menu = page.getByRole("navigation", { name: "Menu" });
  const owners = MENU.filter(({ name }) => isPageOpen({ role: "owner", is_bound: false }, name));
  for (const { path, icon } of owners) {
    await menu.locator(`a[href="${path}"]`).click();
    await heading(en.shared.navigation[icon]).waitFor();
    expect(await menu.locator("[aria-current=page]").getAttribute("href")).toBe(path);
  }
  for (const name of ["developers", "settings"] as const) {
    await page.goto(`${server.url}${pathOf(name)}`);
    const links = page.locator("nav:is(.tabs, .settings-menu) a");
    await links.first().waitFor();
    const shown = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    // The receiver belongs to the demo history, which this server lacks.
    expect(shown).toEqual(tabsOf(name).flatMap((tab) => (tab.name === "receiver" ? [] : [tab.path])));
  }
}, 180_000);

test("says so at an unknown address", async () => {
  for (const path of ["/dashboard/nowhere", "/dashboard/settings/nowhere", "/dashboard/developers/nowhere"]) {
    await open(path);
    await heading("Page not found").waitFor();
  }
}, 180_000);

test("a dialog focuses its first field", async () => {
  const { page } = visitor;
  await open("/dashboard/settings/people");
  await page.getByRole("button", { name: "Add person" }).click();
  await page.getByRole("dialog").waitFor();
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
}, 180_000);

test("on a phone the menu is a bar of five tabs, and More shows the other pages", async () => {
  const { page } = visitor;
  await page.setViewportSize(PHONE);
  await open("/dashboard/today");
  const menu = page.getByRole("navigation", { name: "Menu" });
  await menu.getByRole("button", { name: "More" }).waitFor();
  const shown = async () => (await menu.locator("a, button").filter({ visible: true }).allTextContents()).map(plain);
  expect(await shown()).toEqual(["Today", "Calls", "People", "Calendar", "More"]);
  for (const tab of await menu.locator("a, button").filter({ visible: true }).all())
    expect((await tab.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  await menu.getByRole("button", { name: "More" }).click();
  expect((await shown()).toSorted()).toEqual([
    "Agents",
    "Calendar",
    "Calls",
    "Campaigns",
    "Developers",
    "More",
    "Overview",
    "People",
    "Settings",
    "Today",
  ]);
  await menu.getByRole("link", { name: "Agents" }).click();
  await heading("Agents").waitFor();
  expect(await shown()).toHaveLength(5);
}, 180_000);

/** Without the count of open items. */
const plain = (text: string): string => text.replace(/[\d\s].*$/, "");

test("people are renamed, and numbers, agents and branches are archived", async () => {
  const { page } = visitor;
  await open("/dashboard/settings/people");
  await page.getByRole("button", { name: "Add person" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Wrong Name");
  await dialog.getByLabel("E-mail address").fill("wrong@demo.invalid");
  await dialog.getByLabel("Password").fill("long enough 1");
  await dialog.getByRole("button", { name: "Add person" }).click();
  await page.getByRole("button", { name: "Change Wrong Name" }).click();
  await dialog.getByLabel("Name").fill("Right Name");
  await dialog.getByLabel("E-mail address").fill("right@demo.invalid");
  await dialog.getByRole("button", { name: "Save" }).first().click();
  await page.getByText("right@demo.invalid").first().waitFor();

  await open("/dashboard/agents");
  await page.getByRole("button", { name: "Add number" }).click();
  await dialog.getByLabel("Phone number").fill("+911140009999");
  await dialog.getByRole("button", { name: "Add number" }).click();
  await page.getByRole("button", { name: "Remove +911140009999" }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await page.getByText("+91 11400 09999 was removed.").waitFor();
}, 240_000);
