// Consents in a real browser: a list is imported with a report, and a person's page shows and withdraws them.
/// <reference lib="dom" />
import { beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { ask, createCall } from "../support/api-client.ts";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { enterDemo, misdeeds } from "./dashboard-visit.ts";

closeBrowsers();
leaveNothingBehind();

const NUMBER = "+919810012345";
const FILE = `contact_number,granted_on,reference\n${NUMBER},2026-01-05,Form 7\n12,,\n+919810067890,2026-02-30,\n`;

let server: Running;
let visitor: Visit;
let page: Page;
beforeAll(async () => {
  server = await startBinary();
  const later = { scheduled_time: new Date(Date.now() + 86_400_000).toISOString(), user_number: NUMBER };
  const callId = await createCall(server, { ...later, user_name: "Asha Rao" });
  expect((await ask(server, "POST", `/v1/calls/${callId}/cancel`)).status).toBe(200);
  visitor = await enterDemo(server, "/dashboard/settings/do-not-disturb");
  ({ page } = visitor);
}, 180_000);

const card = (title: string) => page.locator(".card", { has: page.getByRole("heading", { name: title, exact: true }) });
const dialog = () => page.locator("dialog[open]");

test("a list is imported, each refused line is named, and the export has the others", async () => {
  await card("Consents").getByRole("button", { name: "Import a list" }).click();
  await dialog()
    .getByLabel("CSV file")
    .setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer: Buffer.from("a\n1") });
  await dialog().getByRole("button", { name: "Import" }).click();
  await dialog().getByText("must name a column").waitFor();
  await dialog()
    .getByLabel("CSV file")
    .setInputFiles({ name: "b.csv", mimeType: "text/csv", buffer: Buffer.from(FILE) });
  await dialog().getByLabel("Purpose").selectOption("promotional");
  await dialog().getByLabel("How they agreed").selectOption("written");
  await dialog().getByRole("button", { name: "Import" }).click();
  await dialog().getByText("3 of 3 lines. 1 recorded, 0 recorded before, 2 refused.").waitFor();
  expect(await dialog().locator("td:first-child, th[scope=row]").allTextContents()).toEqual(["3", "4"]);
  expect(await faultsOnBoth(visitor, "consent-import")).toEqual([]);
  await page.keyboard.press("Escape");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    card("Consents").getByRole("link", { name: "Export as CSV" }).click(),
  ]);
  expect(readFileSync(await download.path(), "utf8")).toContain(`${NUMBER},promotional,active,written,list,Form 7`);
}, 180_000);

test("a person's page shows the consent with its history, and withdraws it", async () => {
  await page.goto(`${server.url}/dashboard/people`);
  await page.getByRole("link", { name: "Asha Rao" }).first().click();
  const consent = card("Consent");
  await consent.getByText("Promotional calls").first().waitFor();
  await consent.getByText("Written, with a signature · agreed on 5 Jan 2026 · Form 7").waitFor();
  await consent.getByText("History").click();
  await consent.getByText("Imported list").waitFor();
  expect(await faultsOnBoth(visitor, "consent-person")).toEqual([]);
  await consent.getByRole("button", { name: "Withdraw: Promotional calls" }).click();
  await dialog().getByRole("button", { name: "Withdraw" }).click();
  await consent.getByText("Withdrawn").first().waitFor();
  expect(misdeeds(server, visitor)).toEqual([]);
}, 180_000);

test("in Hindi the pages pass the same checks", async () => {
  await page.goto(`${server.url}/dashboard/settings/account`);
  await page.getByRole("combobox", { name: "Language" }).selectOption({ label: "हिन्दी" });
  await page.getByRole("heading", { name: "सेटिंग", level: 1 }).waitFor();
  await page.goto(`${server.url}/dashboard/settings/do-not-disturb`);
  await card("सहमतियाँ").getByRole("button", { name: "सूची जोड़ें" }).click();
  await dialog().getByText("contact_number").waitFor();
  expect(await faultsOnBoth(visitor, "consent-import-hindi")).toEqual([]);
  await page.goto(`${server.url}/dashboard/people`);
  await page.getByRole("link", { name: "Asha Rao" }).first().click();
  await card("सहमति").getByText("इतिहास").click();
  expect(await faultsOnBoth(visitor, "consent-person-hindi")).toEqual([]);
}, 180_000);
