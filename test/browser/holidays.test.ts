// Holidays and plans in a real browser: days closed and reopened, people moved and called, windows for several days, a
// plan for another branch, holidays from a file, calendar links. Clicks are counted where a task has a limit.
/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { closeBrowsers, type Visit } from "../support/browser.ts";
import { startQuick } from "../support/calls.ts";
import { readCalendar } from "../support/read-calendar.ts";
import { until } from "../support/until.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { DESKTOP, enterDemo, misdeeds } from "./dashboard-visit.ts";

closeBrowsers();
leaveNothingBehind();

let server: Running;
let visitor: Visit;
/** A separate branch, not used by other tests. */
const branchId = crypto.randomUUID();
let monday: string;

beforeAll(async () => {
  server = await startQuick();
  await createWindow({});
  visitor = await enterDemo(server, `/dashboard/calendar?branch=${branchId}`);
  monday = await visitor.page.evaluate(() => {
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Kolkata" }).format(new Date());
    const date = new Date(`${today}T00:00:00Z`);
    date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7) + 7);
    return date.toISOString().slice(0, 10);
  });
}, 180_000);

afterAll(() => expect(misdeeds(server, visitor)).toEqual([]));

const dialog = () => visitor.page.locator("dialog");
const button = (name: string) => visitor.page.getByRole("button", { name, exact: true });
const inDialog = (name: string | RegExp) => dialog().getByRole("button", { name });
const said = (text: string) => visitor.page.locator(".toast", { hasText: text }).first().waitFor();
const card = (text: string) => visitor.page.locator(".cal-window", { hasText: text });
const closures = () => visitor.page.locator(".cal-closures > li");
const openDay = (date: string) =>
  visitor.page.goto(`${server.url}/dashboard/calendar?branch=${branchId}&week=${date}&day=${date}`);
const openHolidays = () => visitor.page.goto(`${server.url}/dashboard/calendar/holidays?branch=${branchId}`);
const addDays = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

async function createWindow(changes: Record<string, unknown>): Promise<string> {
  const body = { branch_id: branchId, day: "monday", session: "Morning", ai_slots: 20, max_slots: 20, ...changes };
  const { status, data, text } = await ask(server, "POST", "/v1/appointment-slots", { body });
  if (status !== 201) throw new Error(text);
  return String(data["calendar_id"]);
}

async function bookTwelve(date: string): Promise<void> {
  const query = `branch_id=${branchId}&from=${date}&to=${date}`;
  const { data } = await ask(server, "GET", `/v1/appointment-slots/availability?${query}`);
  const [place] = data as unknown as { slot_id: string }[];
  for (let i = 0; i < 12; i++) {
    const body = {
      slot_id: place!.slot_id,
      contact_name: `Test Patient ${i}`,
      contact_number: `+155555501${String(i).padStart(2, "0")}`,
    };
    const { status, text } = await ask(server, "POST", "/v1/appointments", { body });
    if (status !== 201) throw new Error(text);
  }
}

/** Number of clicks since the page was loaded. */
async function countClicks(): Promise<() => Promise<number>> {
  const { page } = visitor;
  await page.evaluate(() => {
    const counted = window as unknown as { presses: number };
    counted.presses = 0;
    addEventListener("pointerdown", () => counted.presses++, true);
  });
  return () => page.evaluate(() => (window as unknown as { presses: number }).presses);
}

describe("a day with twelve bookings", () => {
  test("is closed and all are called in three clicks", async () => {
    await bookTwelve(monday);
    await openDay(monday);
    await card("12/20").waitFor();
    const clicks = await countClicks();
    await button("Close this day").click();
    await dialog().getByText("12 people are booked then.").waitFor();
    await dialog()
      .getByLabel(/^Call all/)
      .check();
    await inDialog("Close and call 12").waitFor();
    expect(await faultsOnBoth(visitor, "holidays-close")).toEqual([]);
    await inDialog("Close and call 12").click();
    await said("Closed. 12 are being called.");
    expect(await clicks()).toBeLessThanOrEqual(6);
    await visitor.page.locator(".cal-window.closed", { hasText: "12/20" }).waitFor();
    await openHolidays();
    await closures().getByText("12 called").waitFor();
    expect(await closures().getByRole("link", { name: "See the calls" }).count()).toBe(1);
    expect(await faultsOnBoth(visitor, "holidays-list")).toEqual([]);
  });

  test("is previewed: each person is moved to the shown slot, called or left", async () => {
    const day = addDays(monday, 21);
    await bookTwelve(day);
    await openDay(day);
    await card("12/20").waitFor();
    await button("Close this day").click();
    await dialog()
      .getByLabel(/^Move all/)
      .check();
    const people = dialog().locator(".cal-closed-people > li");
    await people.first().getByText("Moves to Mon").waitFor();
    await people.nth(0).getByRole("combobox").selectOption("leave");
    await people.nth(1).getByRole("combobox").selectOption("call");
    await inDialog("Close and move 10 and call 1").click();
    await said("Closed. 10 moved. 1 are being called.");
    await openDay(addDays(day, 7));
    await card("10/20").waitFor();
  });

  test("is reopened; moved appointments stay moved", async () => {
    await openHolidays();
    await closures()
      .nth(1)
      .getByRole("button", { name: /^Reopen/ })
      .click();
    await closures().nth(1).getByText("Calls about these days stop.").waitFor();
    expect(await closures().nth(1).getByLabel("Keep calling everyone on the list").isChecked()).toBe(false);
    expect(await faultsOnBoth(visitor, "holidays-reopen")).toEqual([]);
    await closures().nth(1).getByRole("button", { name: "Reopen", exact: true }).click();
    await said("The days are open again.");
    await closures().getByText("Open again").waitFor();
    await openDay(addDays(monday, 21));
    await visitor.page.locator(".cal-window:not(.closed)").waitFor();
  });

  test("of one window leads from closing its date to a decision for each person", async () => {
    const day = addDays(monday, 28);
    await openDay(day);
    await card("10/20").waitFor();
    await button("Change this date: Morning 09:00–12:00").click();
    await dialog().getByLabel("Status", { exact: true }).selectOption("CLOSED");
    await dialog().getByText("10 people are booked here.").waitFor();
    await inDialog("Decide for each of them").click();
    await dialog().getByText("10 people are booked then.").waitFor();
    await visitor.page.keyboard.press("Escape");
  });
});

describe("plans", () => {
  test("twelve weekly windows are created in five clicks", async () => {
    const other = crypto.randomUUID();
    await createWindow({ branch_id: other, day: "sunday", session: "Afternoon" });
    await visitor.page.goto(`${server.url}/dashboard/calendar?branch=${other}&week=${monday}`);
    await card("Afternoon").waitFor();
    const clicks = await countClicks();
    await button("New window").first().click();
    await inDialog("Several days at once").click();
    await inDialog("Monday to Saturday").click();
    await dialog()
      .getByLabel(/^Evening/)
      .check();
    await inDialog("Create 12 windows").waitFor();
    expect(await faultsOnBoth(visitor, "plans-windows")).toEqual([]);
    await inDialog("Create 12 windows").click();
    await said("12 windows were created.");
    expect(await clicks()).toBeLessThanOrEqual(10);
    await until(async () => (await visitor.page.locator(".cal-window").count()) === 13);
  });

  test("are copied to another branch, after a preview of what exists", async () => {
    await visitor.page.setViewportSize(DESKTOP);
    await openHolidays();
    await button("Copy to another branch").click();
    const target = dialog().getByLabel("To branch");
    await target.selectOption(String(server.demo["branch_id"]));
    await dialog().getByText("The other branch has").waitFor();
    expect(await faultsOnBoth(visitor, "plans-copy")).toEqual([]);
    const box = dialog().locator(".cal-closed-people input").first();
    if (!(await box.isChecked())) await box.check();
    await inDialog("Copy 1 window").click();
    await said("1 window was created.");
  });
});

test("holidays from a file are selected and closed", async () => {
  await openHolidays();
  await button("Import holidays").click();
  const year = Number(monday.slice(0, 4)) + 1;
  const text = [
    "BEGIN:VCALENDAR",
    ...["0126:Republic Day", "0815:Independence Day"].flatMap((each) => [
      "BEGIN:VEVENT",
      `DTSTART;VALUE=DATE:2020${each.slice(0, 4)}`,
      "RRULE:FREQ=YEARLY",
      `SUMMARY:${each.slice(5)}`,
      "END:VEVENT",
    ]),
    "END:VCALENDAR",
  ].join("\r\n");
  await dialog()
    .getByLabel("Calendar file")
    .setInputFiles({ name: "holidays.ics", mimeType: "text/calendar", buffer: Buffer.from(text) });
  await dialog().getByText(`26 January ${year} · Republic Day`).waitFor();
  expect(await faultsOnBoth(visitor, "holidays-file")).toEqual([]);
  for (const each of await dialog()
    .getByLabel(/Independence/)
    .all())
    await each.uncheck();
  await inDialog(/^Continue with/).click();
  await dialog().getByText("Nobody is booked then.").waitFor();
  await inDialog("Close").last().click();
  await said("Closed.");
  await closures().getByText("Republic Day").first().waitFor();
});

test("a calendar link shows the branch in a calendar program until it is revoked", async () => {
  await openHolidays();
  const { page } = visitor;
  await page.getByLabel("Branch", { exact: true }).selectOption(branchId);
  await button("Create link").click();
  const address = (await page.locator(".secret code").textContent()) ?? "";
  expect(await faultsOnBoth(visitor, "holidays-links")).toEqual([]);
  const path = new URL(address).pathname;
  const answer = await fetch(`${server.url}${path}`);
  expect(answer.headers.get("content-type")).toStartWith("text/calendar");
  const text = await answer.text();
  expect(text).not.toContain("Test Patient");
  const { events } = readCalendar(text);
  expect(events.some((event) => event["SUMMARY"] === "Morning: 10 of 20 booked")).toBeTrue();
  await button(`Revoke: ${(await page.locator(".cal-closures strong").last().textContent()) ?? ""}`).click();
  await said("The link no longer works.");
  expect((await fetch(`${server.url}${path}`)).status).toBe(404);
  expect(server.output()).not.toContain(path.split("/")[2]!);
});

test("a disabled weekly window counts its remaining bookings, and moves them in five clicks", async () => {
  await createWindow({ session: "Evening" });
  const day = addDays(monday, 28);
  await openDay(day);
  await card("10/20").waitFor();
  const clicks = await countClicks();
  await button("Change window: Morning 09:00–12:00").click();
  await inDialog("Disable window").click();
  await dialog().getByText("people are still booked in this window.").waitFor();
  expect(await faultsOnBoth(visitor, "holidays-disable")).toEqual([]);
  await inDialog("Decide for each of them").click();
  await dialog()
    .getByLabel(/^Move all/)
    .check();
  await inDialog(/^Disable and move \d+/).click();
  await said("Closed.");
  expect(await clicks()).toBe(5);
  await openDay(day);
  await visitor.page.locator(".cal-window:not(.closed)", { hasText: "10/20" }).getByText("Evening").waitFor();
});
