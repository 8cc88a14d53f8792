// Availability by date, in the branch's own time zone.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/core/clock.ts";
import type { DatedSlot } from "../../src/calendar/model.ts";
import {
  BRANCH,
  createClinic,
  MONDAY,
  NEXT_MONDAY,
  on,
  OTHER_SERVICE,
  refusal,
  SERVICE,
  TODAY,
  UNKNOWN_UUID,
  type Clinic,
} from "./clinic.ts";

let clinic: Clinic;
beforeEach(async () => {
  clinic = await createClinic();
});
afterEach(() => clinic.close());

const setZone = (timeZone: string | null) =>
  clinic.app.services.directory.setBranch(clinic.organisationId, BRANCH, { timeZone }, CLI_ACTOR);
const moveTo = (iso: string) => clinic.clock.jump(Date.parse(iso) - clinic.clock.now());
const datesOf = (slots: readonly DatedSlot[]) => slots.map(({ date }) => date);
const openDates = async (query = "") => datesOf(await clinic.availability(query));

describe("one entry", () => {
  test("has the window's fields, its date, and the remaining capacity", async () => {
    const window = await clinic.createWindow({ appointment_type_id: SERVICE, batch_name: "A" });
    await clinic.book(on(window, MONDAY));
    const [first, ...others] = await clinic.availability();
    expect(first!).toEqual({
      ...window,
      slot_id: `${window.calendar_id}||${MONDAY}`,
      date: MONDAY,
      filled_slots: 1,
      available_slots: 9,
      ai_filled_slots: 0,
      ai_available_slots: 4,
    });
    expect(others).toMatchObject([{ date: NEXT_MONDAY, filled_slots: 0, available_slots: 10 }]);
  });

  test("is the same under /v1/appointments/availability, for readers of appointments", async () => {
    await clinic.createWindow();
    const key = await clinic.newKey(["appointments:read"]);
    const answer = await clinic.request("GET", `/v1/appointments/availability?from=${MONDAY}&to=${MONDAY}`, { key });
    expect([answer.status, answer.json as object]).toEqual([
      200,
      { data: await clinic.availability(`?from=${MONDAY}&to=${MONDAY}`) },
    ]);
  });

  test("never leaves the agent more than remains in total", async () => {
    const window = await clinic.createWindow({ ai_slots: 3, max_slots: 4 });
    for (let i = 0; i < 2; i++) await clinic.book(on(window, MONDAY));
    expect((await clinic.availability())[0]).toMatchObject({
      available_slots: 2,
      ai_available_slots: 2,
      ai_filled_slots: 0,
    });
    for (let i = 0; i < 2; i++) await clinic.book(on(window, MONDAY));
    expect((await clinic.availability())[0]).toMatchObject({
      filled_slots: 4,
      available_slots: 0,
      ai_available_slots: 0,
    });
  });

  test("is never negative when capacity was lowered below the bookings", async () => {
    const window = await clinic.createWindow();
    for (let i = 0; i < 3; i++) await clinic.book(on(window, MONDAY));
    expect((await clinic.patchWindow(window.slot_id, { max_slots: 2, ai_slots: 2 })).status).toBe(200);
    expect((await clinic.availability())[0]).toMatchObject({
      max_slots: 2,
      filled_slots: 3,
      available_slots: 0,
      ai_available_slots: 0,
    });
    expect((await clinic.availability())[1]).toMatchObject({
      filled_slots: 0,
      available_slots: 2,
      ai_available_slots: 2,
    });
    expect(refusal(await clinic.postAppointment(on(window, MONDAY)))).toEqual([409, "SLOT_FULL"]);
  });
});

describe("the range", () => {
  test("is today and 14 more days in the branch's time zone", async () => {
    await clinic.createWindow({ day: "sunday", session: "Evening" });
    expect(await openDates()).toEqual([TODAY, "2026-11-22", "2026-11-29"]);
  });

  test("includes both ends and can lie anywhere in the future", async () => {
    await clinic.createWindow({ day: "tuesday" });
    expect(await openDates("?from=2028-02-22&to=2028-03-07")).toEqual(["2028-02-22", "2028-02-29", "2028-03-07"]);
  });

  test("covers 92 days and not 93", async () => {
    await clinic.createWindow();
    expect((await openDates("?from=2026-11-16&to=2027-02-15")).length).toBe(14);
    for (const kind of ["availability", "schedule-tracking"]) {
      const answer = await clinic.request("GET", `/v1/appointment-slots/${kind}?from=2026-11-16&to=2027-02-16`);
      expect(refusal(answer)).toEqual([400, "VALIDATION_ERROR", "to"]);
    }
  });

  test("can reach the last day of the calendar and terminates", async () => {
    await clinic.createWindow();
    const dates = await openDates("?from=9999-10-01&to=9999-12-31");
    expect([dates.length, dates.at(-1)]).toEqual([13, "9999-12-27"]);
  });

  test.each([
    ["from=2026-02-30", "from"],
    ["from=yesterday", "from"],
    ["from=", "from"],
    ["to=2026-11-14", "to"],
    ["to=2026-1-1", "to"],
    ["from=2026-11-17&to=2026-11-16", "to"],
    ["branch_id=x", "branch_id"],
    ["appointment_type_id=x", "appointment_type_id"],
    ["session=morning", "session"],
  ])("%s is rejected", async (query, field) => {
    for (const path of [
      "appointment-slots/availability",
      "appointment-slots/schedule-tracking",
      "appointments/availability",
    ]) {
      expect(refusal(await clinic.request("GET", `/v1/${path}?${query}`))).toEqual([400, "VALIDATION_ERROR", field]);
    }
  });
});

describe("the list", () => {
  test("is ordered by date and time", async () => {
    for (const [day, session] of [
      ["tuesday", "Morning"],
      ["monday", "Evening"],
      ["monday", "Morning"],
    ])
      await clinic.createWindow({ day, session });
    const slots = await clinic.availability("?from=2026-11-16&to=2026-11-24");
    expect(slots.map(({ date, session }) => `${date} ${session}`)).toEqual([
      "2026-11-16 Morning",
      "2026-11-16 Evening",
      "2026-11-17 Morning",
      "2026-11-23 Morning",
      "2026-11-23 Evening",
      "2026-11-24 Morning",
    ]);
  });

  test("contains no closed windows or closed dates, but full ones", async () => {
    const closed = await clinic.createWindow({ session: "Evening" });
    await clinic.request("POST", `/v1/appointment-slots/${closed.slot_id}/disable`);
    const window = await clinic.createWindow({ ai_slots: 1, max_slots: 1 });
    await clinic.override(on(window, NEXT_MONDAY), { status: "CLOSED" });
    await clinic.book(on(window, MONDAY));
    expect((await clinic.availability()).map(({ slot_id, available_slots }) => [slot_id, available_slots])).toEqual([
      [on(window, MONDAY), 0],
    ]);
  });

  test("contains a date that was opened in a closed window", async () => {
    const window = await clinic.createWindow({ status: "CLOSED" });
    await clinic.override(on(window, MONDAY), { status: "OPEN" });
    expect(await openDates()).toEqual([MONDAY]);
    await clinic.book(on(window, MONDAY));
    expect(refusal(await clinic.postAppointment(on(window, NEXT_MONDAY)))).toEqual([409, "SLOT_FULL"]);
  });

  test("is filtered by branch, session and service; a window without a service matches all", async () => {
    const other = clinic.app.services.ids.uuid();
    const heart = await clinic.createWindow({ appointment_type_id: SERVICE });
    const any = await clinic.createWindow({ session: "Evening" });
    const elsewhere = await clinic.createWindow({ branch_id: other, appointment_type_id: OTHER_SERVICE });
    const found = async (query: string) =>
      new Set(
        (await clinic.availability(`?from=${MONDAY}&to=${MONDAY}&${query}`)).map(({ calendar_id }) => calendar_id),
      );
    const set = (...windows: { calendar_id: string }[]) => new Set(windows.map(({ calendar_id }) => calendar_id));
    expect(await found("")).toEqual(set(heart, any, elsewhere));
    expect(await found(`branch_id=${BRANCH.toUpperCase()}`)).toEqual(set(heart, any));
    expect(await found(`branch_id=${UNKNOWN_UUID}`)).toEqual(new Set());
    expect(await found("session=Evening")).toEqual(set(any));
    expect(await found(`appointment_type_id=${SERVICE.toUpperCase()}`)).toEqual(set(heart, any));
    expect(await found(`appointment_type_id=${OTHER_SERVICE}`)).toEqual(set(any, elsewhere));
    expect(await found(`appointment_type_id=${UNKNOWN_UUID}&branch_id=${other}`)).toEqual(new Set());
  });
});

describe("today", () => {
  test("a session is available until its end, then not", async () => {
    // 11:30 on Sunday.
    const morning = await clinic.createWindow({ day: "sunday" });
    expect((await openDates()).at(0)).toBe(TODAY);
    await clinic.book(on(morning, TODAY));
    await clinic.clock.advance(30 * MINUTE_MS - 1);
    expect((await openDates()).at(0)).toBe(TODAY);
    await clinic.clock.advance(1);
    expect((await openDates()).at(0)).toBe("2026-11-22");
    expect(refusal(await clinic.postAppointment(on(morning, TODAY)))).toEqual([400, "VALIDATION_ERROR", "slot_id"]);
    expect((await clinic.tracking())[0]).toMatchObject({ date: TODAY, filled_slots: 1 });
  });

  test("yesterday is not available, but still tracked", async () => {
    await clinic.createWindow({ day: "saturday" });
    expect(await openDates("?from=2026-11-14&to=2026-11-14")).toEqual([]);
    expect(datesOf(await clinic.tracking("?from=2026-11-14&to=2026-11-14"))).toEqual(["2026-11-14"]);
  });

  test("starts at the branch's midnight", async () => {
    await clinic.createWindow({ day: "sunday", session: "Evening" });
    await clinic.createWindow({ day: "monday" });
    moveTo("2026-11-15T18:29:59.999Z");
    expect(await openDates()).toEqual([MONDAY, "2026-11-22", NEXT_MONDAY, "2026-11-29"]);
    moveTo("2026-11-15T18:30:00Z");
    expect(await openDates()).toEqual([MONDAY, "2026-11-22", NEXT_MONDAY, "2026-11-29", "2026-11-30"]);
  });

  test("differs between branches at the same moment", async () => {
    await setZone("Pacific/Kiritimati");
    moveTo("2026-11-15T10:00:00Z");
    await clinic.createWindow({ day: "sunday", session: "Evening" });
    expect((await openDates(`?branch_id=${BRANCH}`)).at(0)).toBe("2026-11-22");
    await setZone("America/Los_Angeles");
    expect((await openDates(`?branch_id=${BRANCH}`)).at(0)).toBe(TODAY);
  });

  test("without a branch in the query is each branch's own", async () => {
    // 21:00 on Saturday in New York, 07:30 on Sunday in India.
    await setZone("America/New_York");
    moveTo("2026-11-15T01:00:00Z");
    const behind = await clinic.createWindow({ day: "saturday", session: "Evening", end_time: "23:00" });
    const here = await clinic.createWindow({ day: "saturday", branch_id: clinic.app.services.ids.uuid() });
    const slots = await clinic.availability();
    const dates = (id: string) => datesOf(slots.filter(({ calendar_id }) => calendar_id === id));
    expect(dates(behind.calendar_id)).toEqual(["2026-11-14", "2026-11-21", "2026-11-28"]);
    expect(dates(here.calendar_id)).toEqual(["2026-11-21", "2026-11-28"]);
  });

  test("follows a change of the branch's time zone; its bookings keep date and time", async () => {
    const window = await clinic.createWindow({ day: "sunday" });
    const booked = await clinic.book(on(window, TODAY));
    moveTo("2026-11-15T13:00:00Z");
    expect((await openDates(`?branch_id=${BRANCH}`)).at(0)).toBe("2026-11-22");
    await setZone("America/New_York");
    // 08:00 there: the morning session has not started.
    expect((await clinic.availability(`?branch_id=${BRANCH}`))[0]).toMatchObject({
      date: TODAY,
      start_time: "09:00",
      filled_slots: 1,
    });
    const read = await clinic.request("GET", `/v1/appointments/${booked.appointment_id}`);
    // The instant moves with the branch's clock.
    const moment = {
      starts_at: "2026-11-15T14:00:00.000Z",
      ends_at: "2026-11-15T17:00:00.000Z",
      time_zone: "America/New_York",
    };
    expect(read.json.data as object).toEqual({ ...booked, ...moment });
    await setZone(null);
    expect((await openDates(`?branch_id=${BRANCH}`)).at(0)).toBe("2026-11-22");
  });
});

describe("across a change of daylight saving", () => {
  // A session that ends at 12:00 ends 24, 25 or 23 hours after the previous day's.
  test.each([
    ["America/New_York", "2026-10-31T16:00:00Z", 25],
    ["America/New_York", "2026-03-07T17:00:00Z", 23],
    ["America/New_York", "2026-11-10T17:00:00Z", 24],
    ["America/Los_Angeles", "2027-03-13T20:00:00Z", 23],
    ["Asia/Kolkata", "2026-10-31T06:30:00Z", 24],
    ["Asia/Kolkata", "2026-03-07T06:30:00Z", 24],
  ])("in %s from %s noon is reached again after %d hours", async (zone, noon, hours) => {
    await setZone(zone);
    for (const day of ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"])
      await clinic.createWindow({ day });
    moveTo(noon);
    const firstOpen = async () => (await openDates(`?branch_id=${BRANCH}`)).at(0);
    const tomorrow = await firstOpen();
    expect(tomorrow).toBe(new Date(Date.parse(noon) + 24 * HOUR_MS).toISOString().slice(0, 10));
    clinic.clock.jump(hours * HOUR_MS - 1);
    expect(await firstOpen()).toBe(tomorrow);
    clinic.clock.jump(1);
    expect(await firstOpen()).not.toBe(tomorrow);
  });

  test("every week keeps its dates, without duplicates", async () => {
    await setZone("America/New_York");
    moveTo("2026-10-20T12:00:00Z");
    await clinic.createWindow({ day: "sunday", start_time: "01:00", end_time: "02:30" });
    expect(await openDates(`?branch_id=${BRANCH}&to=2026-11-15`)).toEqual([
      "2026-10-25",
      "2026-11-01",
      "2026-11-08",
      "2026-11-15",
    ]);
    expect(await openDates(`?branch_id=${BRANCH}&from=2027-03-07&to=2027-03-21`)).toEqual([
      "2027-03-07",
      "2027-03-14",
      "2027-03-21",
    ]);
  });
});
