// The page of a person: call, book, add to the waiting list, rename and merge; Erase is last, behind ⋯.
/// <reference lib="dom" />
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { startQuick } from "../support/calls.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { DESKTOP, enterDemo, misdeeds } from "./dashboard-visit.ts";

setDefaultTimeout(180_000);
closeBrowsers();
leaveNothingBehind();

const NUMBER = "+919810010066";

let server: Running;
let visitor: Visit;
beforeAll(async () => {
  server = await startQuick();
  const { data } = await ask(server, "GET", `/v1/appointment-slots/availability?branch_id=${server.demo["branch_id"]}`);
  const [slot] = data as unknown as { slot_id: string }[];
  for (const contact_name of ["R. Person", "Ravi Person"]) {
    const body = { slot_id: slot!.slot_id, contact_name, contact_number: NUMBER };
    expect((await ask(server, "POST", "/v1/appointments", { body })).status).toBe(201);
  }
  visitor = await enterDemo(server, "/dashboard/people", DESKTOP);
  const { page } = visitor;
  await page.getByRole("searchbox", { name: "Search for a person" }).fill("Ravi Person");
  await page.getByRole("link", { name: /Person$/ }).click();
  await page.getByRole("heading", { name: "Appointments" }).waitFor();
}, 180_000);
afterAll(() => server.kill());

const dialog = () => visitor.page.locator("dialog[open]");
const menu = () => visitor.page.locator("summary[aria-label='More actions']");
const button = (name: string) => visitor.page.getByRole("button", { name, exact: true });

test("Erase is the last of all actions, and the menu closes on Escape with the focus on it", async () => {
  const { page } = visitor;
  const labels = () => page.locator(".page-head .button").allTextContents();
  expect((await labels()).slice(0, 3)).toEqual(["Add to the waiting list …", "Book …", "Call …"]);
  expect((await labels()).at(-1)).toBe("Erase this person …");
  expect(await button("Erase this person …").isVisible()).toBeFalse();
  await menu().focus();
  await page.keyboard.press("Enter");
  await button("Erase this person …").waitFor();
  expect(await faultsOnBoth(visitor, "person-menu")).toEqual([]);
  await menu().focus();
  await page.keyboard.press("Escape");
  await button("Erase this person …").waitFor({ state: "hidden" });
  expect(await menu().evaluate((element) => element === document.activeElement)).toBeTrue();
});

test("an appointment is booked and the waiting list joined with name and number filled in", async () => {
  const { page } = visitor;
  await page.setViewportSize(DESKTOP);
  await button("Book …").click();
  expect(await dialog().getByLabel("Phone number").inputValue()).toBe(NUMBER);
  // Another day than the bookings above: a second booking in one window is asked about.
  await dialog().locator(".cal-slot input:enabled").last().check();
  expect(await faultsOnBoth(visitor, "person-book")).toEqual([]);
  await page.setViewportSize(DESKTOP);
  await dialog().getByRole("button", { name: "Book", exact: true }).click();
  await dialog().waitFor({ state: "detached" });
  await button("Add to the waiting list …").click();
  expect(await dialog().getByLabel("Phone number").inputValue()).toBe(NUMBER);
  await dialog().getByRole("button", { name: "Add to the waiting list" }).click();
  await page.locator(".toast", { hasText: "Added to the waiting list." }).first().waitFor();
});

test("somebody who was never called is called from their page", async () => {
  await button("Call …").click();
  await dialog().getByLabel("Agent").waitFor();
  expect(await dialog().getByLabel("Phone number").inputValue()).toBe(NUMBER);
  await visitor.page.keyboard.press("Escape");
});

test("two names of one person are merged after a confirmation, and the person is renamed", async () => {
  const { page } = visitor;
  await menu().click();
  await button("Merge …").click();
  await dialog().getByLabel("This person").selectOption({ label: "R. Person" });
  await dialog().getByLabel("is the same as").selectOption({ label: "Ravi Person" });
  expect(await dialog().getByRole("button", { name: "Merge" }).isEnabled()).toBeFalse();
  await dialog().getByLabel("I understand that this cannot be undone.").check();
  expect(await faultsOnBoth(visitor, "person-merge")).toEqual([]);
  await page.setViewportSize(DESKTOP);
  await dialog().getByRole("button", { name: "Merge" }).click();
  await page.getByRole("heading", { level: 1, name: "Ravi Person" }).waitFor();
  await page.getByRole("heading", { name: "People with this number" }).waitFor({ state: "detached" });
  await menu().click();
  expect(await button("Merge …").count()).toBe(0);
  await button("Rename …").click();
  await dialog().getByLabel("New name").fill("Ravi Renamed");
  await dialog().getByRole("button", { name: "Rename" }).click();
  await page.getByRole("heading", { level: 1, name: "Ravi Renamed" }).waitFor();
  expect(await faultsOnBoth(visitor, "person-renamed")).toEqual([]);
  expect(misdeeds(server, visitor)).toEqual([]);
});
