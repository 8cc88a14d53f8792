// Daylight saving changes: an hour that does not exist, and an hour that occurs twice.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { createDesk } from "../../src/calendar/desk.ts";
import { BRANCH, createClinic, on, refusal, type Clinic } from "./clinic.ts";

const ZONE = "America/New_York";
/** Both are Sundays. In spring 02:00 becomes 03:00; in autumn 02:00 becomes 01:00. */
const SPRING = "2027-03-14";
const AUTUMN = "2027-11-07";

let clinic: Clinic;
beforeEach(async () => {
  clinic = await createClinic();
  await clinic.app.services.directory.setBranch(clinic.organisationId, BRANCH, { timeZone: ZONE }, CLI_ACTOR);
});
afterEach(() => clinic.close());

const night = (start_time: string, end_time: string) => clinic.createWindow({ day: "sunday", start_time, end_time });
const moveTo = (iso: string) => clinic.clock.jump(Date.parse(iso) - clinic.clock.now());
const openOn = async (from: string, to = from) =>
  (await clinic.availability(`?branch_id=${BRANCH}&from=${from}&to=${to}`)).map(
    (slot) => `${slot.date} ${slot.start_time}`,
  );

describe("an appointment has an instant", () => {
  test("with time zone beside its local times, in responses and events", async () => {
    const window = await night("09:30", "12:00");
    await clinic.newEvents();
    const booked = await clinic.book(on(window, "2026-11-22"));
    const moment = {
      starts_at: "2026-11-22T14:30:00.000Z",
      ends_at: "2026-11-22T17:00:00.000Z",
      time_zone: ZONE,
    };
    expect(booked).toMatchObject({ date: "2026-11-22", start_time: "09:30", end_time: "12:00", ...moment });
    const told = (await clinic.newEvents()).find(({ type }) => type === "appointment.created");
    expect(told?.data).toMatchObject(moment);
    const { json } = await clinic.request("GET", `/v1/appointments/${booked.appointment_id}`);
    expect(json.data as object).toMatchObject(moment);
    const moved = await clinic.change(booked.appointment_id, { slot_id: on(window, SPRING) });
    // Daylight saving time starts that night.
    expect(moved.starts_at).toBe("2027-03-14T13:30:00.000Z");
  });

  test("in the organisation's time zone if the branch has none", async () => {
    const { directory } = clinic.app.services;
    await directory.setBranch(clinic.organisationId, BRANCH, { timeZone: null }, CLI_ACTOR);
    const booked = await clinic.book(on(await night("09:30", "12:00"), "2026-11-22"));
    expect(booked).toMatchObject({ starts_at: "2026-11-22T04:00:00.000Z", time_zone: "Asia/Kolkata" });
  });
});

describe("a slot in a skipped hour", () => {
  test("is not offered, and cannot be booked, moved to or changed; the weeks around it have it", async () => {
    const window = await night("02:30", "04:00");
    expect(await openOn("2027-03-07", "2027-03-21")).toEqual(["2027-03-07 02:30", "2027-03-21 02:30"]);
    const inTheGap = refusal(await clinic.postAppointment(on(window, SPRING)));
    expect(inTheGap).toEqual([400, "VALIDATION_ERROR", "slot_id"]);
    const booked = await clinic.book(on(window, "2027-03-07"));
    expect(refusal(await clinic.patchAppointment(booked.appointment_id, { slot_id: on(window, SPRING) }))[0]).toBe(400);
    expect(refusal(await clinic.override(on(window, SPRING), { max_slots: 12 }))[0]).toBe(400);
    const tracked = await clinic.tracking(`?branch_id=${BRANCH}&from=${SPRING}&to=${SPRING}`);
    expect(tracked).toEqual([]);
    expect(await clinic.appointmentRows()).toHaveLength(1);
  });

  test.each([
    ["before it, and lasts into it", "01:30", "02:30", "2027-03-14T06:30:00.000Z", "2027-03-14T07:00:00.000Z"],
    ["when it is over", "03:00", "04:00", "2027-03-14T07:00:00.000Z", "2027-03-14T08:00:00.000Z"],
  ])("exists if it starts %s", async (_, start, end, starts_at, ends_at) => {
    const window = await night(start, end);
    expect(await openOn(SPRING)).toEqual([`${SPRING} ${start}`]);
    expect(await clinic.book(on(window, SPRING))).toMatchObject({ starts_at, ends_at });
  });

  test("is not offered to a caller", async () => {
    await night("02:00", "03:00");
    moveTo("2027-03-13T12:00:00Z");
    const { tracking, appointments, ids } = clinic.app.services;
    const desk = createDesk(
      { db: clinic.db, clock: clinic.clock, ids, tracking, appointments, isAbout: async () => {}, wake: () => {} },
      {
        callId: "call_1",
        organisationId: clinic.organisationId,
        branchId: BRANCH,
        appointmentTypeId: null,
        appointmentId: null,
        contactName: null,
        contactNumber: "+15555550100",
        isNumberSure: true,
        contactEmail: null,
      },
    );
    const offers = await desk.offer(3, { date: SPRING, dateEnd: null, time: null, partOfDay: null });
    expect(offers.map(({ date }) => date)).not.toContain(SPRING);
    expect(offers.length).toBeGreaterThan(0);
  });
});

describe("a slot in a repeated hour", () => {
  test("means the first occurrence, and is over with it", async () => {
    const window = await night("01:00", "01:30");
    expect(await clinic.book(on(window, AUTUMN))).toMatchObject({
      starts_at: "2027-11-07T05:00:00.000Z",
      ends_at: "2027-11-07T05:30:00.000Z",
    });
    moveTo("2027-11-07T05:29:00Z");
    expect(await openOn(AUTUMN)).toEqual([`${AUTUMN} 01:00`]);
    // The wall clock shows 01:15 for the second time.
    moveTo("2027-11-07T06:15:00Z");
    expect(await openOn(AUTUMN)).toEqual([]);
    expect(refusal(await clinic.postAppointment(on(window, AUTUMN)))).toEqual([400, "VALIDATION_ERROR", "slot_id"]);
  });

  test("lasts an hour longer if its end occurs once", async () => {
    const window = await night("01:30", "02:30");
    const { starts_at, ends_at } = await clinic.book(on(window, AUTUMN));
    expect([starts_at, ends_at]).toEqual(["2027-11-07T05:30:00.000Z", "2027-11-07T07:30:00.000Z"]);
  });
});
