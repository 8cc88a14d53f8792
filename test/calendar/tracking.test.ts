// The record of each window on each date: read, overridden for one date, recounted.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  BRANCH,
  createClinic,
  MONDAY,
  NEXT_MONDAY,
  on,
  refusal,
  SERVICE,
  TODAY,
  UNKNOWN_UUID,
  type Clinic,
  type TrackingRecord,
} from "./clinic.ts";

let clinic: Clinic;
beforeEach(async () => {
  clinic = await createClinic();
});
afterEach(() => clinic.close());

const overridden = async (slotId: string, body: unknown): Promise<TrackingRecord> => {
  const answer = await clinic.override(slotId, body);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json.data as unknown as TrackingRecord;
};

describe("tracking", () => {
  test("shows every window on every date, closed ones too, with the service or any as third segment", async () => {
    const heart = await clinic.createWindow({ appointment_type_id: SERVICE });
    const closed = await clinic.createWindow({ session: "Evening", status: "CLOSED" });
    const records = await clinic.tracking(`?to=${MONDAY}`);
    expect(records.map(({ slot_id, status, overridden }) => [slot_id, status, overridden])).toEqual([
      [`${heart.calendar_id}||${MONDAY}||${SERVICE}`, "OPEN", false],
      [`${closed.calendar_id}||${MONDAY}||any`, "CLOSED", false],
    ]);
    expect(records[0]).toEqual({
      ...heart,
      slot_id: `${heart.calendar_id}||${MONDAY}||${SERVICE}`,
      date: MONDAY,
      filled_slots: 0,
      available_slots: 10,
      ai_filled_slots: 0,
      ai_available_slots: 4,
      overridden: false,
    });
  });

  test("its slot_id is accepted by overrides, windows and bookings alike", async () => {
    const window = await clinic.createWindow();
    const [record] = await clinic.tracking();
    expect((await overridden(record!.slot_id, { max_slots: 7 })).slot_id).toBe(record!.slot_id);
    expect((await clinic.patchWindow(encodeURIComponent(record!.slot_id), { ai_slots: 3 })).status).toBe(200);
    expect((await clinic.book(record!.slot_id)).slot_id).toBe(on(window, MONDAY));
  });
});

describe("an override of one date", () => {
  test("applies to that date only", async () => {
    const window = await clinic.createWindow();
    const record = await overridden(on(window, MONDAY), { max_slots: 20, ai_slots: 12 });
    expect(record).toMatchObject({
      date: MONDAY,
      max_slots: 20,
      ai_slots: 12,
      available_slots: 20,
      ai_available_slots: 12,
      overridden: true,
    });
    expect(await clinic.tracking()).toMatchObject([
      record,
      { date: NEXT_MONDAY, max_slots: 10, ai_slots: 4, overridden: false },
    ]);
    expect((await clinic.request("GET", `/v1/appointment-slots/${window.slot_id}`)).json.data as object).toEqual(
      window,
    );
  });

  test("a holiday closes the date and keeps its bookings", async () => {
    const window = await clinic.createWindow();
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    await overridden(on(window, MONDAY), { status: "CLOSED" });
    expect(refusal(await clinic.postAppointment(on(window, MONDAY)))).toEqual([409, "SLOT_FULL"]);
    expect((await clinic.tracking())[0]).toMatchObject({ status: "CLOSED", filled_slots: 1 });
    expect((await clinic.change(appointment_id, { notes: "moved?" })).status).toBe("confirmed");
    await overridden(on(window, MONDAY), { status: "OPEN" });
    await clinic.book(on(window, MONDAY));
  });

  test("null restores the window's value, for each field separately", async () => {
    const window = await clinic.createWindow();
    await overridden(on(window, MONDAY), { max_slots: 20, ai_slots: 12, status: "CLOSED" });
    expect(await overridden(on(window, MONDAY), { ai_slots: null })).toMatchObject({
      max_slots: 20,
      ai_slots: 4,
      status: "CLOSED",
      overridden: true,
    });
    expect(await overridden(on(window, MONDAY), { max_slots: null, status: null })).toMatchObject({
      max_slots: 10,
      status: "OPEN",
      overridden: false,
    });
  });

  test("later changes of the window affect the date only where it has no override", async () => {
    const window = await clinic.createWindow();
    await overridden(on(window, MONDAY), { max_slots: 20 });
    await clinic.patchWindow(window.slot_id, { max_slots: 6, ai_slots: 5 });
    expect(await clinic.tracking()).toMatchObject([
      { date: MONDAY, max_slots: 20, ai_slots: 5 },
      { date: NEXT_MONDAY, max_slots: 6, ai_slots: 5 },
    ]);
  });

  test("fewer slots than the agent's share lower that share", async () => {
    const window = await clinic.createWindow();
    expect(await overridden(on(window, MONDAY), { max_slots: 2 })).toMatchObject({
      max_slots: 2,
      ai_slots: 2,
      ai_available_slots: 2,
    });
  });

  test("capacity below the bookings is allowed and leaves nothing", async () => {
    const window = await clinic.createWindow();
    for (let i = 0; i < 3; i++) await clinic.book(on(window, MONDAY));
    expect(await overridden(on(window, MONDAY), { max_slots: 1, ai_slots: 0 })).toMatchObject({
      filled_slots: 3,
      available_slots: 0,
      ai_available_slots: 0,
    });
  });

  test.each([
    ["nothing", {}, []],
    ["unknown fields alone", { filled: 3 }, []],
    ["more for the agent than for all", { max_slots: 3, ai_slots: 4 }, ["ai_slots"]],
    ["more for the agent than the window has", { ai_slots: 11 }, ["ai_slots"]],
    ["a wrong type", { max_slots: "3" }, ["max_slots"]],
    ["a negative number", { ai_slots: -1 }, ["ai_slots"]],
    ["another status", { status: "HOLIDAY" }, ["status"]],
  ])("%s is rejected and changes nothing", async (_what, body, fields) => {
    const window = await clinic.createWindow();
    const before = await clinic.tracking();
    const answer = await clinic.override(on(window, MONDAY), body);
    expect(refusal(answer)).toEqual([400, "VALIDATION_ERROR", ...fields]);
    expect(answer.json["success"] as unknown).toBe(false);
    expect(await clinic.tracking()).toEqual(before);
  });

  test("cannot write counters or other columns", async () => {
    const window = await clinic.createWindow();
    await overridden(on(window, MONDAY), {
      max_slots: 9,
      filled: 5,
      ai_filled: 5,
      window_id: UNKNOWN_UUID,
      date: TODAY,
    });
    expect((await clinic.tracking())[0]).toMatchObject({
      date: MONDAY,
      max_slots: 9,
      filled_slots: 0,
      ai_filled_slots: 0,
    });
  });

  test("needs an existing window and a date on its weekday", async () => {
    const window = await clinic.createWindow();
    const change = { max_slots: 3 };
    expect(refusal(await clinic.override(on(window, "2026-11-17"), change))).toEqual([
      400,
      "VALIDATION_ERROR",
      "slot_id",
    ]);
    expect(refusal(await clinic.override(window.slot_id, change))).toEqual([400, "VALIDATION_ERROR", "slot_id"]);
    expect(refusal(await clinic.override("garbage", change))).toEqual([400, "VALIDATION_ERROR", "slot_id"]);
    expect(refusal(await clinic.override(`${UNKNOWN_UUID}||${MONDAY}`, change))).toEqual([404, "NOT_FOUND"]);
  });

  test("fires slot.updated with the date's numbers", async () => {
    const window = await clinic.createWindow();
    await clinic.newEvents();
    await overridden(on(window, MONDAY), { max_slots: 20 });
    await clinic.override(on(window, MONDAY), { ai_slots: 99 });
    expect(await clinic.newEvents()).toEqual([
      {
        type: "slot.updated",
        data: {
          ...window,
          slot_id: on(window, MONDAY),
          date: MONDAY,
          max_slots: 20,
          filled_slots: 0,
          available_slots: 20,
          ai_filled_slots: 0,
          ai_available_slots: 4,
        },
      },
    ]);
  });
});

describe("a window that moves to another day", () => {
  test("keeps the bookings of the old day, which tracking still shows, and accepts no more there", async () => {
    const window = await clinic.createWindow();
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    expect((await clinic.patchWindow(window.slot_id, { day: "tuesday" })).status).toBe(200);
    const shown = (await clinic.tracking(`?to=${NEXT_MONDAY}`)).map(({ date, filled_slots }) => [date, filled_slots]);
    expect(shown).toEqual([
      [MONDAY, 1],
      ["2026-11-17", 0],
    ]);
    expect((await clinic.availability(`?to=${NEXT_MONDAY}`)).map(({ date }) => date)).toEqual(["2026-11-17"]);
    expect(refusal(await clinic.postAppointment(on(window, MONDAY)))).toEqual([400, "VALIDATION_ERROR", "slot_id"]);
    await clinic.change(appointment_id, { slot_id: on(window, "2026-11-17") });
    expect((await clinic.tracking(`?to=${NEXT_MONDAY}`)).map(({ date, filled_slots }) => [date, filled_slots])).toEqual(
      [["2026-11-17", 1]],
    );
  });
});

describe("regenerating", () => {
  const spoil = (filled: number) =>
    clinic.db.write((tx) => tx.updateTable("window_dates").set({ filled, ai_filled: filled }).execute());

  test("changes nothing when the counters are right", async () => {
    const window = await clinic.createWindow();
    await clinic.book(on(window, MONDAY));
    const { appointment_id } = await clinic.book(on(window, MONDAY));
    await clinic.change(appointment_id, { status: "cancelled" });
    await clinic.override(on(window, NEXT_MONDAY), { max_slots: 3 });
    const before = await clinic.tracking();
    await clinic.newEvents();
    const answer = await clinic.regenerate();
    expect([answer.status, answer.json as object]).toEqual([
      200,
      { success: true, data: { branch_id: BRANCH, from: TODAY, to: "2026-11-29", dates: 1, overrides_dropped: 0 } },
    ]);
    expect(await clinic.tracking()).toEqual(before);
    expect(await clinic.newEvents()).toEqual([]);
  });

  test.each([0, 7])("recounts from the appointments when the counters said %d", async (wrong) => {
    const window = await clinic.createWindow();
    for (let i = 0; i < 3; i++) await clinic.book(on(window, MONDAY));
    const before = await clinic.tracking();
    await spoil(wrong);
    expect(await clinic.tracking()).not.toEqual(before);
    await clinic.newEvents();
    expect((await clinic.regenerate({ from: MONDAY, to: MONDAY })).status).toBe(200);
    expect(await clinic.tracking()).toEqual(before);
    expect(await clinic.newEvents()).toMatchObject([
      { type: "slot.updated", data: { slot_id: on(window, MONDAY), filled_slots: 3 } },
    ]);
  });

  test("finds bookings whose date has lost its record", async () => {
    const window = await clinic.createWindow();
    await clinic.book(on(window, MONDAY));
    const before = await clinic.tracking();
    await clinic.db.write((tx) => tx.deleteFrom("window_dates").execute());
    expect((await clinic.tracking())[0]).toMatchObject({ filled_slots: 0 });
    await clinic.regenerate();
    expect(await clinic.tracking()).toEqual(before);
  });

  test("keeps overrides of dates unless asked, and bookings always", async () => {
    const window = await clinic.createWindow();
    await clinic.book(on(window, MONDAY));
    await clinic.override(on(window, MONDAY), { max_slots: 3 });
    await clinic.override(on(window, NEXT_MONDAY), { status: "CLOSED" });
    await clinic.newEvents();
    await clinic.regenerate({ reset_overrides: false });
    expect(await clinic.tracking()).toMatchObject([{ max_slots: 3, filled_slots: 1 }, { status: "CLOSED" }]);
    const answer = await clinic.regenerate({ reset_overrides: true });
    expect(answer.json.data as object).toMatchObject({ overrides_dropped: 2, dates: 1 });
    expect(await clinic.tracking()).toMatchObject([
      { max_slots: 10, filled_slots: 1, available_slots: 9, overridden: false },
      { status: "OPEN", overridden: false },
    ]);
    const events = await clinic.newEvents();
    const told = events.map(({ type, data }) => [type, data["slot_id"], data["max_slots"], data["status"]].join(" "));
    expect(new Set(told)).toEqual(
      new Set([`slot.updated ${on(window, MONDAY)} 10 OPEN`, `slot.updated ${on(window, NEXT_MONDAY)} 10 OPEN`]),
    );
    expect(told.length).toBe(2);
  });

  test("affects only the given branch and dates", async () => {
    const window = await clinic.createWindow();
    const elsewhere = await clinic.createWindow({ branch_id: UNKNOWN_UUID });
    for (const slot of [on(window, MONDAY), on(window, NEXT_MONDAY), on(elsewhere, MONDAY)]) {
      await clinic.book(slot);
      await clinic.override(slot, { max_slots: 3 });
    }
    await spoil(2);
    await clinic.regenerate({ from: MONDAY, to: MONDAY, reset_overrides: true });
    const left = new Map(
      (await clinic.tracking()).map((record) => [on(record, record.date), [record.filled_slots, record.max_slots]]),
    );
    expect(left).toEqual(
      new Map([
        [on(window, MONDAY), [1, 10]],
        [on(window, NEXT_MONDAY), [2, 3]],
        [on(elsewhere, MONDAY), [2, 3]],
        [on(elsewhere, NEXT_MONDAY), [0, 10]],
      ]),
    );
  });

  test("an unknown branch has nothing to recount", async () => {
    const answer = await clinic.regenerate({ branch_id: UNKNOWN_UUID });
    expect([answer.status, answer.json.data["dates"]] as unknown[]).toEqual([200, 0]);
  });

  test.each([
    [{ branch_id: undefined }, "branch_id"],
    [{ branch_id: "x" }, "branch_id"],
    [{ from: "2026-02-30" }, "from"],
    [{ from: "2026-11-16", to: "2027-02-16" }, "to"],
    [{ reset_overrides: "true" }, "reset_overrides"],
  ])("%j is rejected", async (body, field) => {
    const answer = await clinic.regenerate(body);
    expect(refusal(answer)).toEqual([400, "VALIDATION_ERROR", field]);
    expect(answer.json["success"] as unknown).toBe(false);
  });
});
