// Campaigns in a real browser: 200 reminders from a CSV, errors of a list before anything is created, a campaign
// followed to its end, a retry of the failed calls; with the number of clicks.
/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Locator } from "playwright-core";
import { leaveNothingBehind, runBinary, type Running } from "../support/binary.ts";
import { closeBrowsers, visit, type Visit } from "../support/browser.ts";
import { startQuick } from "../support/calls.ts";
import { until } from "../support/until.ts";
import { sheetOf, workbookOf } from "../support/workbook.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { complaintsOf } from "./calls-visit.ts";
import { DESKTOP, enterDemo, PHONE } from "./dashboard-visit.ts";

setDefaultTimeout(180_000);
closeBrowsers();
leaveNothingBehind();

const VIEWER = { email: "viewer@example.test", password: "correct horse battery" };
let server: Running;
beforeAll(async () => {
  server = await startQuick();
  const made = ["people", "create", "--email", VIEWER.email, "--name", "Viewer", "--role", "viewer"];
  const { code, stderr } = await runBinary([...made, "--data", server.dataDir], { stdin: VIEWER.password });
  expect([code, stderr]).toEqual([0, ""]);
}, 180_000);

/** Counts mouse actions. A choice in a menu or in the system's file dialog counts as two clicks. */
function mouse() {
  let clicks = 0;
  return {
    clicks: () => clicks,
    async click(place: Locator) {
      await place.click();
      clicks += 1;
    },
    async file({ page }: Visit, name: string, content: string | Uint8Array) {
      const opened = page.waitForEvent("filechooser");
      await page.getByLabel("CSV or XLSX file").click();
      await (await opened).setFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) });
      clicks += 2;
    },
  };
}

/** Unique in the file; the last four digits select the simulator's outcome. */
let used = 0;
const mobile = (lastFour: string) => `98${String(1000 + ++used)}${lastFour}`;

const CSV_OF_200 = [
  "Patient name;Mobile no.;Doctor;Visit",
  ...Array.from({ length: 200 }, (_, index) => `Patient ${index + 1};${mobile("0100")};Dr. Iyer;check-up`),
].join("\r\n");

const button = ({ page }: Visit, name: string | RegExp) => page.getByRole("button", { name });
const link = ({ page }: Visit, name: string | RegExp) => page.getByRole("link", { name, exact: true });

describe.each([
  ["at a desk", DESKTOP],
  ["on a phone", PHONE],
])("%s", (where, viewport) => {
  let visitor: Visit;
  beforeAll(async () => {
    visitor = await enterDemo(server, "/dashboard", viewport);
  });
  afterAll(() => visitor.close());
  /** Covers both looks at once, so one of the two visitors is enough. */
  const isFit = async (name: string) => {
    if (viewport === PHONE) return;
    expect(await faultsOnBoth(visitor, `campaigns-${name}`)).toEqual([]);
  };

  test("200 reminders from a CSV take at most 8 clicks", async () => {
    const hand = mouse();
    await hand.click(visitor.page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: /^Today/ }));
    await hand.click(visitor.page.locator(".page-head").getByRole("link", { name: "New campaign" }));
    await hand.file(visitor, `reminders ${where}.csv`, CSV_OF_200);
    await visitor.page.getByText("200 people will be called").waitFor();
    await visitor.page.getByText("Hello Patient 1, this is Asha from Demo Hospital.").waitFor();
    await hand.click(button(visitor, "Call 200 people"));
    await visitor.page.getByRole("heading", { name: `reminders ${where}` }).waitFor();
    expect(hand.clicks()).toBeLessThanOrEqual(8);
    expect(hand.clicks()).toBe(5);
  });

  test("it is paused, resumed, and stopped after a confirmation", async () => {
    await button(visitor, "Pause").click();
    await visitor.page.locator(".badge", { hasText: "Paused" }).waitFor();
    await button(visitor, "Resume").click();
    await button(visitor, "Pause").waitFor();
    await button(visitor, "Stop …").click();
    await visitor.page.getByRole("dialog").getByText("still waiting will not be called").waitFor();
    await visitor.page.getByRole("dialog").getByRole("button", { name: "Stop the campaign" }).click();
    await visitor.page.locator(".badge", { hasText: "Stopped" }).waitFor();
  });

  test("errors of a list are reported before anything is created, and can be downloaded", async () => {
    const { page } = visitor;
    const number = mobile("0100");
    const rows = [
      ["Name", "Phone", "Doctor", "Visit"],
      ["Asha Rao", number, "Dr. Iyer", "check-up"],
      ["Asha Rao", `+91 ${number}`, "Dr. Iyer", "check-up"],
      ["Ravi", "12345", "Dr. Iyer", "check-up"],
      ["Meera", "9.19877E+11", "Dr. Iyer", "check-up"],
      ["John", "+44 20 7946 0000", "Dr. Iyer", "check-up"],
      ["Lata", mobile("0100"), "", "check-up"],
      ["=1+1", "", "Dr. Iyer", ""],
    ];
    await page.goto(`${server.url}/dashboard/campaigns/new`);
    await mouse().file(visitor, "list.xlsx", workbookOf(sheetOf(rows)));
    await page.getByText("2 people will be called").waitFor();
    const faults = page.getByRole("region", { name: "Rows with problems" });
    const text = (await faults.textContent()) ?? "";
    for (const words of ["The same as row 2.", "too few or too many digits for India", "shortened this number"])
      expect(text).toContain(words);
    for (const words of [
      "must be an Indian (+91) or US (+1) number",
      "no value for doctor",
      "There is no phone number.",
    ])
      expect(text).toContain(words);
    await isFit("new");
    const download = page.waitForEvent("download");
    await button(visitor, "Download skipped rows (CSV)").click();
    const csv = readFileSync(await (await download).path(), "utf8").split("\r\n");
    expect(csv[0]).toBe("\ufeffName,Phone,Doctor,Visit,Row,Why it cannot be called");
    expect(csv.filter((line) => line !== "")).toHaveLength(6);
    expect(csv.at(-2)).toStartWith("'=1+1,,Dr. Iyer");
    expect(await page.getByRole("link", { name: "list", exact: true }).count()).toBe(0);
  });

  test("columns are mapped differently, and the people are counted again", async () => {
    const { page } = visitor;
    await page.getByLabel("Phone number").selectOption({ label: "Name" });
    await page.getByText("No row of this list can be called.").waitFor();
    expect(await button(visitor, /^Call \d/).count()).toBe(0);
    await page.getByLabel("Phone number").selectOption({ label: "Phone" });
    await page.getByText("2 people will be called").waitFor();
    await page.getByLabel("{{doctor}}").selectOption({ label: "Visit" });
    await page
      .getByRole("region", { name: "First rows as they will be called" })
      .getByText("check-up")
      .nth(3)
      .waitFor();
  });

  test("a file that is not a list is reported", async () => {
    await mouse().file(visitor, "old.xls", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]));
    await visitor.page.getByText("This workbook is an old .xls file").waitFor();
  });

  const CALLED = `called ${where}`;

  test("pasted numbers are called, with their own hours and retries, and followed without a reload", async () => {
    const { page } = visitor;
    await page.getByText("Pasted").click();
    const [talks, busy, silent] = [mobile("0100"), mobile("0001"), mobile("0002")];
    await page
      .getByLabel("Numbers, or rows")
      .fill(`Name\tPhone\nTalker ${where}\t${talks}\nBusy\t${busy}\nSilent\t${silent}`);
    await page.getByText("3 people will be called").waitFor();
    await page.getByLabel("Name of the campaign").fill(CALLED);
    await page.getByLabel("Calls per minute").fill("6000");
    await page.getByText("Narrower, for this campaign").click();
    // Independent of the current weekday.
    await page.getByText("Sunday", { exact: true }).click();
    await page.getByLabel("From", { exact: true }).fill("00:00");
    await page.getByLabel("To", { exact: true }).fill("23:59");
    await page.getByText("For this campaign", { exact: true }).click();
    await page.getByLabel("More tries after: Busy").fill("0");
    await page.getByLabel("More tries after: No answer").fill("0");
    await isFit("plan");
    await button(visitor, "Call 3 people").click();
    await page.getByRole("heading", { name: CALLED }).waitFor();
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    await page.locator(".badge", { hasText: "Finished" }).waitFor();
    await page
      .locator(".person-row", { hasText: `Talker ${where}` })
      .getByText("Answered")
      .waitFor();
    await page.locator(".person-row", { hasText: "Busy" }).first().waitFor();
    expect(await page.evaluate(() => "isSamePage" in window)).toBeTrue();
    await isFit("page");
  });

  test("a figure links to the people it counts", async () => {
    const { page } = visitor;
    await page.locator(".campaign-figure", { hasText: "No answer" }).click();
    await until(async () => (await page.locator(".person-row").count()) === 1, { what: () => "not one person" });
    expect(await page.locator(".person-row").textContent()).toContain("Silent");
    await page.reload();
    await until(async () => (await page.locator(".person-row").count()) === 1, { what: () => "not one person" });
    await page.locator(".campaign-figure", { hasText: "No answer" }).click();
    await until(async () => (await page.locator(".person-row").count()) === 3, { what: () => "not all people" });
  });

  test("results can be downloaded", async () => {
    const download = visitor.page.waitForEvent("download");
    await link(visitor, "Download results (CSV)").click();
    expect(readFileSync(await (await download).path(), "utf8")).toContain(`Talker ${where}`);
  });

  test("all failed calls are retried in at most 3 clicks", async () => {
    const { page } = visitor;
    await page.goto(`${server.url}/dashboard/campaigns`);
    await page.locator(".campaign-row", { hasText: CALLED }).waitFor();
    await isFit("list");
    const hand = mouse();
    await hand.click(link(visitor, CALLED));
    await hand.click(button(visitor, "Call the 2 failed again …"));
    await hand.click(page.getByRole("dialog").getByRole("button", { name: "Call 2 people" }));
    await page.getByText("They will be called again.").waitFor();
    expect(hand.clicks()).toBeLessThanOrEqual(3);
    const tries = page.locator(".person-row", { hasText: "Silent" }).locator(".cell-tries");
    await until(async () => (await tries.textContent()) === "2", { what: () => "nobody is called a second time" });
  });

  test("no other host was contacted, the policy was not violated, no error was logged", () => {
    expect(complaintsOf(server, visitor)).toEqual([]);
  });
});

test("a viewer reads campaigns and has no controls to change them", async () => {
  const { page, close } = await visit(`${server.url}/dashboard/campaigns`);
  await page.getByLabel("E-mail address").fill(VIEWER.email);
  await page.getByLabel("Password").fill(VIEWER.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator(".campaign-row").first().waitFor();
  expect(await page.getByRole("link", { name: "New campaign" }).count()).toBe(0);
  await page.locator(".campaign-row a").first().click();
  await page.getByRole("link", { name: "Download results (CSV)" }).waitFor();
  expect(await page.getByRole("button", { name: /Pause|Stop|failed again/ }).count()).toBe(0);
  await close();
});
