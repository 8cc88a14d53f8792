// The calendar page in a real browser on a desktop: every task, from a window to a moved appointment.
/// <reference lib="dom" />
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ask } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { closeBrowsers, screenshot, type Visit } from "../support/browser.ts";
import { finished, place, startQuick } from "../support/calls.ts";
import { until } from "../support/until.ts";
import { faultsOnBoth } from "./both-looks.ts";
import { enterDemo, faultsOf, misdeeds, overflow } from "./dashboard-visit.ts";

closeBrowsers();
leaveNothingBehind();

let server: Running;
let visitor: Visit;
/** Monday of next week in the demo hospital's time zone: everything on it lies ahead. */
let monday: string;

beforeAll(async () => {
  server = await startQuick();
  visitor = await enterDemo(server, "/dashboard/calendar");
  monday = await visitor.page.evaluate(() => {
    const today = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Kolkata" }).format(new Date());
    const date = new Date(`${today}T00:00:00Z`);
    date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7) + 7);
    return date.toISOString().slice(0, 10);
  });
}, 180_000);

afterAll(() => expect(misdeeds(server, visitor).filter((text) => !isRefusal(text))).toEqual([]));

/** The browser logs every answer of 400 and more; the tests below provoke some. */
const isRefusal = (text: string) => /status of 4(00|09|22) /.test(text);

const dialog = () => visitor.page.locator("dialog");
const button = (name: string) => visitor.page.getByRole("button", { name, exact: true });
const inDialog = (name: string) => dialog().getByRole("button", { name, exact: true });
const field = (name: string) => dialog().getByLabel(name, { exact: true });
const card = (text: string) => visitor.page.locator(".cal-window", { hasText: text });
const section = (text: string) => visitor.page.locator(".cal-section", { hasText: text });
const person = (name: string) => visitor.page.locator(".cal-people > li", { hasText: name });
const said = (text: string) => visitor.page.locator(".toast", { hasText: text }).first().waitFor();
const gone = () => dialog().waitFor({ state: "hidden" });

async function createWindow(changes: Record<string, unknown>): Promise<string> {
  const body = {
    branch_id: server.demo["branch_id"],
    day: "monday",
    session: "Afternoon",
    ai_slots: 0,
    max_slots: 1,
    ...changes,
  };
  const { status, data, text } = await ask(server, "POST", "/v1/appointment-slots", { body });
  if (status !== 201) throw new Error(text);
  return String(data["calendar_id"]);
}

const bookByApi = (calendarId: string, name: string) =>
  ask(server, "POST", "/v1/appointments", { body: { slot_id: `${calendarId}||${monday}`, contact_name: name } });

const openMonday = (branch = server.demo["branch_id"]) =>
  visitor.page.goto(`${server.url}/dashboard/calendar?branch=${branch}&week=${monday}&day=${monday}`);

describe("the week", () => {
  test("shows the branch's time zone, marks today and dims the past", async () => {
    const { page } = visitor;
    await page.locator(".cal-week").waitFor();
    expect(await page.locator(".page-head").textContent()).toContain("Asia/Kolkata");
    expect(await page.locator(".cal-day").count()).toBe(7);
    expect(await page.locator(".cal-day.today [aria-current=date]").count()).toBe(1);
    await page.getByRole("link", { name: "Previous week" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".cal-day.past").length === 7);
    await page.getByRole("link", { name: "This week" }).click();
    await page.getByRole("link", { name: "Next week" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".cal-day.past, .cal-day.today").length === 0);
    expect(await page.locator(".cal-window").count()).toBe(6);
    expect(await card("09:00–12:00").first().locator(".cal-count").allTextContents()).toEqual(["0/10", "0/4"]);
    expect(await overflow(visitor)).toBe(0);
  });

  test("shows seven days side by side", async () => {
    const tops = await visitor.page
      .locator(".cal-day")
      .evaluateAll((days) => days.map((day) => day.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
  });
});

describe("a window", () => {
  test("is created by form; an error is shown at its field", async () => {
    await openMonday();
    await button("New window").first().click();
    expect(await field("Day").inputValue()).toBe("monday");
    await field("Session").selectOption("Evening");
    expect(await field("Starts").inputValue()).toBe("17:00");
    await field("All slots").fill("2");
    await field("AI slots").fill("5");
    await field("Batch").fill("E");
    await inDialog("Create window").click();
    await dialog().locator(".field.wrong", { hasText: "AI slots" }).getByText("must not exceed").waitFor();
    await field("AI slots").fill("1");
    await inDialog("Create window").click();
    await said("The window was created.");
    await gone();
    await card("Evening").waitFor();
    expect(await card("Evening").locator(".cal-count").allTextContents()).toEqual(["0/2", "0/1"]);
  });

  test("is changed, disabled and enabled again", async () => {
    await card("Evening").click();
    await section("Evening").getByRole("button", { name: "Change window" }).click();
    await field("All slots").fill("3");
    await inDialog("Save").click();
    await said("The window was changed.");
    await card("Evening").getByText("0/3").waitFor();
    await section("Evening").getByRole("button", { name: "Change window" }).click();
    await inDialog("Disable window").click();
    await visitor.page.locator(".cal-window.closed", { hasText: "Evening" }).getByText("Closed").waitFor();
    expect(await section("Evening").getByRole("button", { name: "New appointment" }).count()).toBe(0);
    await section("Evening").getByRole("button", { name: "Change window" }).click();
    await inDialog("Enable window").click();
    await visitor.page.locator(".cal-window:not(.closed)", { hasText: "Evening" }).waitFor();
  });

  test("differs on one date, and is reset to its own values", async () => {
    await section("Evening").getByRole("button", { name: "Change this date" }).click();
    await field("All slots").fill("7");
    await field("Status").selectOption("CLOSED");
    await inDialog("Save for this date").click();
    await card("0/7").getByText("Changed").waitFor();
    expect(await card("0/7").getByText("Closed").count()).toBe(1);
    await visitor.page.getByRole("link", { name: "Next week" }).click();
    await card("Evening").getByText("0/3").waitFor();
    await openMonday();
    await section("Evening").getByRole("button", { name: "Change this date" }).click();
    expect(await field("All slots").inputValue()).toBe("7");
    await inDialog("Reset to the window").click();
    await said("follows its window again");
    await card("Evening").getByText("0/3").waitFor();
    expect(await card("Evening").getByText("Changed").count()).toBe(0);
  });
});

describe("an appointment", () => {
  test("is booked with its contact; an invalid number is reported at its field", async () => {
    await section("Evening").getByRole("button", { name: "New appointment" }).click();
    await field("Name").fill("Test Patient One");
    await field("Phone number").fill("12");
    await inDialog("Book").click();
    await dialog().locator(".field.wrong", { hasText: "Phone number" }).waitFor();
    await field("Phone number").fill("+1 (555) 555-0101");
    await inDialog("Book").click();
    await said("Booked for Mon");
    await person("Test Patient One").getByText("+15555550101").waitFor();
    await card("Evening").getByText("1/3").waitFor();
  });

  test("moves to another open slot, chosen from a list", async () => {
    await person("Test Patient One").getByRole("button", { name: "Reschedule" }).click();
    await inDialog("Move here").click();
    await dialog().getByText("Choose an open slot.").waitFor();
    await dialog().locator("fieldset", { hasText: "Monday" }).getByLabel("09:00–12:00").first().check();
    await inDialog("Move here").click();
    await said("Moved to Mon");
    await section("Morning").locator(".cal-people", { hasText: "Test Patient One" }).waitFor();
    await card("Evening").getByText("0/3").waitFor();
  });

  test("is marked as a no-show, then completed; another is cancelled and releases its slot", async () => {
    // The list shows the first change while the second is already requested.
    const second = Promise.withResolvers<void>();
    const lists = "**/dashboard/api/**/appointments?**";
    await visitor.page.route(lists, async (route) => {
      await second.promise;
      return route.continue();
    });
    await person("Test Patient One").getByRole("button", { name: "No-show" }).click();
    await inDialog("Mark as no-show").click();
    await dialog().waitFor({ state: "hidden" });
    await person("Test Patient One").getByRole("button", { name: "Complete" }).click();
    await inDialog("Mark as completed").and(visitor.page.locator(":focus")).waitFor();
    second.resolve();
    await person("Test Patient One").locator(".badge", { hasText: "No-show" }).waitFor();
    await visitor.page.unroute(lists);
    // The page receives the change event before the dialog gets its answer.
    const changes = "**/dashboard/api/**/appointments/**";
    await visitor.page.route(changes, async (route) => {
      if (route.request().method() === "GET") return route.continue();
      const response = await route.fetch();
      await person("Test Patient One").getByText("Completed").waitFor();
      return route.fulfill({ response });
    });
    await visitor.page.keyboard.press("Enter");
    await dialog().waitFor({ state: "hidden" });
    await visitor.page.unroute(changes);
    await until(() => visitor.page.evaluate(() => document.activeElement?.textContent === "Test Patient One"));
    expect(await person("Test Patient One").getByRole("button", { name: "Complete" }).count()).toBe(0);

    await button("New appointment").first().click();
    await dialog().locator("fieldset").first().getByRole("radio").first().waitFor();
    await dialog().locator("fieldset", { hasText: "Monday" }).first().getByLabel("17:00–21:00").check();
    await field("Name").fill("Test Patient Two");
    await inDialog("Book").click();
    await card("Evening").getByText("1/3").waitFor();
    await person("Test Patient Two").getByRole("button", { name: "Cancel" }).click();
    await inDialog("Cancel appointment").click();
    await person("Test Patient Two").getByText("Cancelled").waitFor();
    await card("Evening").getByText("0/3").waitFor();
  });

  test("for a slot taken meanwhile is rejected in plain words, and another can be chosen", async () => {
    const calendarId = await createWindow({ batch_name: "Single" });
    await openMonday();
    await section("Single").getByRole("button", { name: "New appointment" }).click();
    await field("Name").fill("Test Patient Late");
    await bookByApi(calendarId, "Test Patient Early");
    await inDialog("Book").click();
    await dialog().getByText("This window has no slot left on this date. Choose another one.").waitFor();
    expect(await field("Name").inputValue()).toBe("Test Patient Late");
    await dialog().locator("fieldset").first().getByText("none left").waitFor();
    await visitor.page.keyboard.press("Escape");
    await card("Single").getByText("Full").waitFor();
  });

  test("for a person already in the window asks for confirmation first", async () => {
    const calendarId = await createWindow({ batch_name: "Twice", max_slots: 5 });
    await bookByApi(calendarId, "Test Patient Twin");
    await openMonday();
    await section("Twice").getByRole("button", { name: "New appointment" }).click();
    await field("Name").fill("test patient twin");
    await inDialog("Book").click();
    await dialog().getByText("already booked in this window on this date").waitFor();
    await inDialog("Book again").click();
    await said("Booked for Mon");
    await card("Twice").getByText("2/5").waitFor();
  });

  test("created elsewhere appears automatically", async () => {
    const calendarId = await createWindow({ batch_name: "Live", max_slots: 5 });
    await openMonday();
    await card("Live").getByText("0/5").waitFor();
    await bookByApi(calendarId, "Test Patient Live");
    await person("Test Patient Live").waitFor();
    await card("Live").getByText("1/5").waitFor();
  });

  test("stays when a date with bookings is closed: their number is shown first", async () => {
    const calendarId = await createWindow({ batch_name: "Holiday", max_slots: 5 });
    await bookByApi(calendarId, "Test Patient Holiday");
    await openMonday();
    await section("Holiday").getByRole("button", { name: "Change this date" }).click();
    await field("Status").selectOption("CLOSED");
    await dialog().getByText("1 person is booked here.").waitFor();
    expect(await faultsOf(visitor)).toEqual([]);
    // The choice is unsaved: the page asks before discarding it.
    visitor.page.once("dialog", (question) => void question.accept());
    await visitor.page.keyboard.press("Escape");
    await gone();
  });

  test("booked by the agent links to its call", async () => {
    const id = await place(server, { user_name: "Test Patient Caller" });
    await finished(server, id);
    const { data } = await ask(server, "GET", `/v1/appointments?call_id=${id}`);
    const [made] = data as unknown as { date: string; branch_id: string }[];
    await visitor.page.goto(`${server.url}/dashboard/calendar?branch=${made!.branch_id}&day=${made!.date}`);
    await person("Test Patient Caller").getByText("AI agent").waitFor();
    await visitor.page.getByRole("button", { name: "Test Patient Caller", exact: true }).click();
    expect(await dialog().getByRole("link", { name: "Open the call" }).getAttribute("href")).toBe(
      `/dashboard/calls/${id}`,
    );
    expect(await faultsOf(visitor)).toEqual([]);
    await visitor.page.keyboard.press("Escape");
    await until(() => visitor.page.evaluate(() => document.activeElement?.textContent === "Test Patient Caller"));
  });
});

test("a window created or changed by another user appears automatically", async () => {
  await openMonday();
  await card("Morning").first().waitFor();
  const calendarId = await createWindow({ batch_name: "Elsewhere", max_slots: 5 });
  await card("Elsewhere").getByText("0/5").waitFor();
  await ask(server, "PATCH", `/v1/appointment-slots/${calendarId}`, { body: { max_slots: 6 } });
  await card("Elsewhere").getByText("0/6").waitFor();
});

test("the day prints as a list: one table per window, no navigation, filtered by service if wanted", async () => {
  const serviceId = crypto.randomUUID();
  const calendarId = await createWindow({ batch_name: "Paper", max_slots: 5, appointment_type_id: serviceId });
  await bookByApi(calendarId, "Test Patient Paper");
  await openMonday();
  await person("Test Patient Paper").waitFor();
  const { page } = visitor;
  await page.getByRole("link", { name: "Day list" }).click();
  const list = page.locator(".cal-list", { hasText: "Batch Paper" });
  await list.getByText("Test Patient Paper").waitFor();
  expect(await page.locator(".cal-list").count()).toBeGreaterThan(1);
  await page.getByLabel("Service").selectOption(serviceId);
  await until(async () => (await page.locator(".cal-list").count()) === 1);
  expect(await faultsOnBoth(visitor, "calendar-day-list")).toEqual([]);
  await page.emulateMedia({ media: "print" });
  for (const hidden of [".side", ".page-head .actions", ".cal-list-choice"])
    expect(await page.locator(hidden).isVisible()).toBeFalse();
  expect(await page.locator(".page-head").textContent()).toContain("Monday");
  expect(await overflow(visitor)).toBe(0);
  await screenshot(page, "calendar-day-list-print");
  await page.emulateMedia({ media: null });
});

test("unnamed branches and services are shown by a shortened id, and can be named", async () => {
  const branchId = crypto.randomUUID();
  const serviceId = crypto.randomUUID();
  await createWindow({ branch_id: branchId, appointment_type_id: serviceId });
  await openMonday(branchId);
  const short = (id: string) => `Unnamed ${id.slice(0, 8)}…${id.slice(-4)}`;
  await card(short(serviceId)).waitFor();
  expect(await visitor.page.getByLabel("Branch").locator("option:checked").textContent()).toBe(short(branchId));

  await button("Name this branch").click();
  const form = (id: string) => dialog().locator("form", { hasText: id.slice(-4) });
  await form(branchId).getByLabel("Name of the branch").fill("Harbour branch");
  await form(branchId).getByLabel("Time zone").fill("Asia/Nowhere");
  await form(branchId).getByRole("button", { name: "Save" }).click();
  await form(branchId).getByText("must be an IANA name").waitFor();
  await form(branchId).getByLabel("Time zone").fill("Asia/Dubai");
  await form(branchId).getByRole("button", { name: "Save" }).click();
  await form(serviceId).getByLabel("Name of the service").fill("Eye test");
  await form(serviceId).getByRole("button", { name: "Save" }).click();
  await card("Eye test").waitFor();
  await visitor.page.keyboard.press("Escape");
  expect(await visitor.page.locator(".page-head").textContent()).toContain("Asia/Dubai");
  expect(await visitor.page.getByLabel("Branch").locator("option:checked").textContent()).toBe("Harbour branch");
});
