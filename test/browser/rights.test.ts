// Retention holds, a person's file and the breach report in a real browser.
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

let server: Running;
let visitor: Visit;
let page: Page;
beforeAll(async () => {
  server = await startBinary();
  // A finished call, so that there is a person.
  const scheduled_time = new Date(Date.now() + 86_400_000).toISOString();
  const callId = await createCall(server, { user_name: "Asha Rao", scheduled_time });
  expect((await ask(server, "POST", `/v1/calls/${callId}/cancel`)).status).toBe(200);
  visitor = await enterDemo(server, "/dashboard/settings");
  ({ page } = visitor);
}, 180_000);

/** Without a place to break the line. */
const REASON = `Case-7/2026/${"HighCourtOfJudicature".repeat(8)}`;

const open = async (path: string) => {
  await page.goto(`${server.url}/dashboard${path}`);
  await page.locator("main .card, main .tiles").first().waitFor();
};
const said = (text: string) => page.locator(".toast", { hasText: text }).first().waitFor();
const dialog = () => page.locator("dialog[open]");

test("a person is held from their page, cannot be erased, and is free after the release", async () => {
  await open("/people");
  await page.locator("main td a, main th a, main li a").first().click();
  await page.locator("summary[aria-label='More actions']").click();
  await page.getByRole("button", { name: "Keep …" }).click();
  await dialog().getByLabel("Reason").fill(REASON);
  await dialog().getByRole("button", { name: "Add hold" }).click();
  await said("The hold was added.");
  await page.locator(".card", { hasText: "Must be kept" }).getByText(REASON).waitFor();
  expect(await faultsOnBoth(visitor, "held-person")).toEqual([]);
  await page.locator("summary[aria-label='More actions']").click();
  await page.getByRole("button", { name: "Erase this person …" }).click();
  await dialog().getByLabel("I understand that this cannot be undone.").check();
  await dialog().getByRole("button", { name: "Erase for good" }).click();
  await dialog().getByText("retention hold is released", { exact: false }).waitFor();
  await page.keyboard.press("Escape");
  await open("/settings/holds");
  expect(await faultsOnBoth(visitor, "holds")).toEqual([]);
  await page.getByRole("button", { name: `Release the hold “${REASON}”` }).click();
  await dialog().getByLabel("Reason").fill("The case ended.");
  await dialog().getByRole("button", { name: "Release" }).click();
  await said("The hold was released.");
  await page.locator("main td", { hasText: "Released" }).first().waitFor();
}, 180_000);

test("who saw a person is told on their page and in the audit log", async () => {
  await open("/people");
  await page.locator("main td a, main th a, main li a").first().click();
  await page.getByRole("link", { name: "Seen by" }).waitFor();
  const name = (await page.getByRole("heading", { level: 1 }).textContent()) ?? "";
  await page.getByRole("link", { name: "Seen by" }).click();
  const opened = page.locator("tbody tr", { hasText: `Demo Owner opened ${name}’s page` });
  await opened.first().waitFor();
  expect(await faultsOnBoth(visitor, "seen-by")).toEqual([]);
  await open("/settings/audit");
  await page.getByLabel("Patient", { exact: true }).fill(name);
  await page.getByRole("list", { name: "Patient" }).getByRole("button", { name }).first().click();
  await page.getByRole("button", { name: "Show all patients" }).waitFor();
  await page.getByLabel("Whose acts").selectOption("person");
  await page.locator("tbody tr", { hasText: "API key" }).first().waitFor({ state: "detached" });
  await opened.first().waitFor();
  expect(await faultsOnBoth(visitor, "audit-of-person")).toEqual([]);
  await opened.first().getByRole("link", { name }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}, 120_000);

test("an owner downloads everything about a person, and the breach report", async () => {
  await open("/people");
  await page.locator("main td a, main th a, main li a").first().click();
  await page.locator("summary[aria-label='More actions']").click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download everything" }).click(),
  ]);
  expect([
    file.suggestedFilename(),
    readFileSync(await file.path())
      .subarray(0, 2)
      .toString(),
  ]).toEqual(["person.zip", "PK"]);
  await open("/settings/audit");
  const card = page.locator(".card", { has: page.getByRole("heading", { name: "Breach report" }) });
  await card.getByLabel("From").fill("2026-01-01T00:00");
  await card.getByLabel("To").fill("2026-12-31T00:00");
  const [report] = await Promise.all([
    page.waitForEvent("download"),
    card.getByRole("link", { name: "Download report" }).click(),
  ]);
  expect(readFileSync(await report.path(), "utf8")).toStartWith("who,who_id,who_name,what");
  expect(await faultsOnBoth(visitor, "breach")).toEqual([]);
  expect(misdeeds(server, visitor).filter((text) => !/status of 409/.test(text))).toEqual([]);
}, 180_000);
