// The waiting list as ward staff use it: entries added from the calendar and from the list, changed, called, removed;
// on phone and desktop, light and dark.
/// <reference lib="dom" />
import { beforeAll, expect, test } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { startQuick } from "../support/calls.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { DESKTOP, enterDemo, misdeeds } from "./dashboard-visit.ts";

closeBrowsers();
leaveNothingBehind();

let server: Running;
let desk: Visit;

beforeAll(async () => {
  // At any hour, and slowly enough for a call to be visible.
  server = await startQuick({
    RINGWARD_WAITING_LIST__CALLING_HOURS: "09:00,09:00",
    RINGWARD_TELEPHONY__SIMULATOR__SPEED: "1",
  });
  desk = await enterDemo(server, "/dashboard/calendar", DESKTOP);
}, 180_000);

const row = (name: string) => desk.page.locator(".waiting-table tbody tr", { hasText: name });

test("when nothing suits, one click in the booking form adds the person to the list", async () => {
  const { page } = desk;
  await page.locator(".cal-week").waitFor();
  await page.getByRole("button", { name: "New appointment" }).first().click();
  const dialog = page.locator("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Test Patient One");
  await dialog.getByRole("button", { name: "Put on the waiting list" }).click();
  await dialog.getByText("Enter a phone number").waitFor();
  await dialog.getByLabel("Phone number").fill("+91 98100 10002");
  await dialog.getByRole("button", { name: "Put on the waiting list" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "Waiting list" }).click();
  await row("Test Patient One").getByText("any time of day").waitFor();
}, 180_000);

test("a person is added with their preferences, which are changed", async () => {
  const { page } = desk;
  const dialog = page.locator("dialog");
  await page.getByRole("button", { name: "Add to the waiting list" }).click();
  await dialog.getByLabel("Name", { exact: true }).fill("Test Patient Two");
  await dialog.getByLabel("Phone number").fill("+919810010100");
  await dialog.getByLabel("Evening").check();
  expect(await faultsOnBoth(desk, "waiting-form")).toEqual([]);
  await page.setViewportSize(DESKTOP);
  await dialog.getByRole("button", { name: "Add to the waiting list" }).click();
  await row("Test Patient Two").getByText("Evening").waitFor();
  await row("Test Patient Two").getByRole("button", { name: "Change: Test Patient Two" }).click();
  await dialog.getByLabel("Evening").uncheck();
  await dialog.getByRole("button", { name: "Save" }).click();
  await row("Test Patient Two").getByText("any time of day").waitFor();
}, 180_000);

test("the person being called is shown with the offered slot", async () => {
  await row("Test Patient Two").getByRole("button", { name: "Call now: Test Patient Two" }).click();
  await row("Test Patient Two").getByText("Being called").waitFor();
  await row("Test Patient Two")
    .getByText(/^Offered: /)
    .waitFor();
  expect(await faultsOnBoth(desk, "waiting-list")).toEqual([]);
}, 180_000);

test("a removed person disappears, and another user's change appears automatically", async () => {
  const { page } = desk;
  await page.setViewportSize(DESKTOP);
  await row("Test Patient One").getByRole("button", { name: "Remove: Test Patient One" }).click();
  await page.locator("dialog").getByRole("button", { name: "Remove" }).click();
  await row("Test Patient One").waitFor({ state: "detached" });
  const body = {
    branch_id: server.demo["branch_id"],
    contact_name: "Test Patient Three",
    contact_number: "+919810010003",
  };
  expect((await ask(server, "POST", "/v1/waitlist", { body })).status).toBe(201);
  await row("Test Patient Three").waitFor();
}, 180_000);

test("no other host was contacted, and no error was logged", () => {
  expect(misdeeds(server, desk)).toEqual([]);
});
