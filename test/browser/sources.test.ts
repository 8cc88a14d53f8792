// Hospital systems in a real browser: one is added, its appointments are in the calendar, and cancelling one is asked.
/// <reference lib="dom" />
import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { randomUUID } from "node:crypto";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, startBinary, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { DESKTOP, enterDemo, misdeeds, overflow, PHONE } from "./dashboard-visit.ts";

closeBrowsers();
leaveNothingBehind();

const BRANCH = randomUUID();
const DAY_MS = 86_400_000;

let server: Running;
let visitor: Visit;
let page: Page;
beforeAll(async () => {
  server = await startBinary();
  visitor = await enterDemo(server, "/dashboard/settings/sources");
  ({ page } = visitor);
}, 180_000);

describe("a hospital's system", () => {
  test("is added, and axe finds nothing", async () => {
    await page.goto(`${server.url}/dashboard/settings/sources`);
    await page.getByRole("button", { name: "Add system" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Scheduler");
    await page.getByRole("dialog").getByRole("button", { name: "Add system" }).click();
    await page.getByRole("cell", { name: "API", exact: true }).waitFor();
    expect(await page.getByRole("row", { name: /Scheduler/ }).count()).toBe(1);
    expect(await faultsOnBoth(visitor, "sources")).toEqual([]);
  });

  test("has its appointments in the calendar; cancelling one asks the system, and staff answer for it", async () => {
    const sourceId = await page.locator("td code").first().textContent();
    const startsAt = new Date(Date.now() + 3 * DAY_MS).toISOString();
    const put = await ask(server, "PUT", `/v1/sources/${sourceId}/appointments`, {
      body: {
        external_id: "A-1",
        starts_at: startsAt,
        branch_id: BRANCH,
        contact_name: "Meera Iyer",
        practitioner: { name: "Dr. Mehta" },
      },
    });
    const [{ appointment_id: id }] = put.data as unknown as [{ appointment_id: string }];
    const { date } = (await ask(server, "GET", `/v1/appointments/${id}`)).data as { date: string };
    await page.goto(`${server.url}/dashboard/calendar?branch=${BRANCH}&day=${date}`);
    await page.getByRole("heading", { name: "In the hospital's own system" }).waitFor();
    expect(await faultsOnBoth(visitor, "sources-day")).toEqual([]);
    await page.setViewportSize(DESKTOP);
    await page.getByRole("button", { name: "Ask to cancel: Meera Iyer" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Ask to cancel" }).click();
    await page.getByText("Wants to cancel").waitFor();
    await page.getByRole("button", { name: "Meera Iyer", exact: true }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.textContent()).toContain("Cancelling, not answered yet");
    expect(await dialog.textContent()).toContain("Dr. Mehta");
    await dialog.getByRole("button", { name: "Done there" }).click();
    await page.getByText("Cancelled", { exact: true }).waitFor();
    const after = await ask(server, "GET", `/v1/appointments/${id}`);
    expect(after.data).toMatchObject({ status: "cancelled", wish: { state: "agreed" } });
  });

  test("fits a phone", async () => {
    await page.setViewportSize(PHONE);
    await page.goto(`${server.url}/dashboard/settings/sources`);
    await page.getByText("Scheduler").first().waitFor();
    expect(await overflow(visitor)).toBeLessThanOrEqual(0);
    expect(misdeeds(server, visitor)).toEqual([]);
  });
});
