// The calendar page on phone and desktop, light and dark: a list of days, no axe violations.
/// <reference lib="dom" />
import { beforeAll, describe, expect, test } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { closeBrowsers, screenshot, type Visit } from "../support/browser.ts";
import { startQuick } from "../support/calls.ts";
import { DESKTOP, enterDemo, faultsOf, misdeeds, overflow, PHONE } from "./dashboard-visit.ts";

closeBrowsers();
leaveNothingBehind();

let server: Running;
let phone: Visit;
/** The first open slot of the demo. */
let place: { slot_id: string; date: string; branch_id: string };

beforeAll(async () => {
  server = await startQuick();
  const { data } = await ask(server, "GET", `/v1/appointment-slots/availability?branch_id=${server.demo["branch_id"]}`);
  place = (data as unknown as (typeof place)[])[0]!;
  await ask(server, "POST", "/v1/appointments", { body: { slot_id: place.slot_id, contact_name: "Test Patient One" } });
  phone = await enterDemo(server, "/dashboard/calendar", PHONE);
  await phone.page.locator(".cal-week").waitFor();
}, 180_000);

const dayAddress = () => `${server.url}/dashboard/calendar?branch=${place.branch_id}&day=${place.date}`;
const weekAddress = () => `${server.url}/dashboard/calendar?branch=${place.branch_id}&week=${place.date}`;

describe("on a phone", () => {
  test("the week is a vertical list of days", async () => {
    const { page } = phone;
    await page.goto(weekAddress());
    await page.locator(".cal-week").waitFor();
    const lefts = await page
      .locator(".cal-day")
      .evaluateAll((days) => days.map((day) => day.getBoundingClientRect().left));
    expect(lefts).toHaveLength(7);
    expect(new Set(lefts).size).toBe(1);
    expect(await page.locator(".cal-panel").isVisible()).toBeFalse();
    expect(await overflow(phone)).toBe(0);
    await screenshot(page, "calendar-phone-week");
  });

  test("a day opens on its own and links back to the week", async () => {
    const { page } = phone;
    await page.locator(".cal-window", { hasText: "1/10" }).click();
    await page.getByRole("button", { name: "Test Patient One", exact: true }).waitFor();
    expect(await page.locator(".cal-week").isVisible()).toBeFalse();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H3");
    expect(await overflow(phone)).toBe(0);
    await screenshot(page, "calendar-phone-day");
    await page.getByRole("link", { name: "Back to the week" }).click();
    await page.locator(".cal-week").waitFor();
    expect(await page.locator(".cal-panel").isVisible()).toBeFalse();
  });

  test("an appointment is booked and moved by touch", async () => {
    const { page } = phone;
    await page.goto(dayAddress());
    await page.locator(".cal-section").getByRole("button", { name: "New appointment" }).click();
    await page.locator("dialog").getByLabel("Name", { exact: true }).fill("Test Patient Thumb");
    await page.locator("dialog").getByRole("button", { name: "Book" }).click();
    const row = page.locator(".cal-people > li", { hasText: "Test Patient Thumb" });
    await row.getByRole("button", { name: "Reschedule" }).click();
    await page.locator("dialog fieldset").nth(1).getByRole("radio").first().check();
    expect(await overflow(phone)).toBe(0);
    await screenshot(page, "calendar-phone-reschedule");
    await page.locator("dialog").getByRole("button", { name: "Move here" }).click();
    await row.waitFor({ state: "detached" });
  });
});

describe.each([
  ["desk", "light", DESKTOP],
  ["desk", "dark", DESKTOP],
  ["phone", "light", PHONE],
  ["phone", "dark", PHONE],
] as const)("on a %s in %s", (device, colorScheme, viewport) => {
  test("axe finds nothing on the page", async () => {
    const { page } = phone;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await page.goto(device === "desk" ? dayAddress() : weekAddress());
    await page.locator(".cal-window").first().waitFor();
    expect(await faultsOf(phone)).toEqual([]);
    await screenshot(page, `calendar-${device}-${colorScheme}`);
  });

  // Apart from its columns a form looks the same in both widths, so each colour scheme is checked once.
  if ((device === "desk") !== (colorScheme === "light")) return;
  test("axe finds nothing in a form", async () => {
    const { page } = phone;
    await page.getByRole("button", { name: "New appointment" }).first().click();
    await page.locator("dialog fieldset").first().waitFor();
    expect(await faultsOf(phone)).toEqual([]);
    await screenshot(page, `calendar-${device}-${colorScheme}-form`);
  });
});

test("no other host was contacted, and no error was logged", () => {
  expect(misdeeds(server, phone)).toEqual([]);
});
