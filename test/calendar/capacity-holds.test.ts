// Property test of random concurrent actions: no date exceeds its capacity, and the counters are right.
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { createDesk } from "../../src/calendar/desk.ts";
import { deleteHoldsOfCall } from "../../src/calendar/window-store.ts";
import { AppError } from "../../src/core/errors.ts";
import type { BookingDesk } from "../../src/calendar/desk-port.ts";
import { createClinic, MONDAY, NEXT_MONDAY, type Clinic, type TrackingRecord } from "./clinic.ts";
import { keepLedger, type Ledger } from "./ledger.ts";

let clinic: Clinic;
let ledger: Ledger;
beforeAll(async () => {
  clinic = await createClinic();
  ledger = keepLedger(clinic.db);
});
afterAll(async () => {
  ledger.close();
  await clinic.close();
});

const DATES = [MONDAY, NEXT_MONDAY];
const CALLS = 3;

type Act =
  | { do: "book"; source: "api" | "dashboard"; window: number; date: number }
  | { do: "move"; appointment: number; window: number; date: number }
  | { do: "end"; appointment: number; status: "cancelled" | "completed" | "no_show" }
  | { do: "offer"; call: number; most: number }
  | { do: "choose"; call: number; label: "A" | "B" }
  | { do: "hang up"; call: number }
  | { do: "resize"; window: number; max: number; ai: number }
  | { do: "open or close"; window: number; status: "OPEN" | "CLOSED" }
  | { do: "override"; window: number; date: number; change: Record<string, unknown> }
  | { do: "regenerate"; reset: boolean }
  | { do: "wait"; seconds: number };

const few = fc.integer({ min: 0, max: 4 });
const which = fc.integer({ min: 0, max: 1 });
const any = fc.nat({ max: 1_000 });
const call = fc.integer({ min: 0, max: CALLS - 1 });
const of = <D extends Act["do"]>(
  kind: D,
  fields: { [K in keyof Omit<Extract<Act, { do: D }>, "do">]: fc.Arbitrary<Extract<Act, { do: D }>[K]> },
) => fc.record({ do: fc.constant(kind), ...fields }) as unknown as fc.Arbitrary<Act>;

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: of("book", { source: fc.constantFrom("api", "dashboard"), window: which, date: which }) },
  { weight: 3, arbitrary: of("move", { appointment: any, window: which, date: which }) },
  {
    weight: 3,
    arbitrary: of("end", {
      appointment: any,
      status: fc.constantFrom("cancelled", "cancelled", "completed", "no_show"),
    }),
  },
  { weight: 4, arbitrary: of("offer", { call, most: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 4, arbitrary: of("choose", { call, label: fc.constantFrom("A", "B") }) },
  { weight: 1, arbitrary: of("hang up", { call }) },
  { weight: 2, arbitrary: of("resize", { window: which, max: few, ai: few }) },
  { weight: 1, arbitrary: of("open or close", { window: which, status: fc.constantFrom("OPEN", "OPEN", "CLOSED") }) },
  {
    weight: 2,
    arbitrary: of("override", {
      window: which,
      date: which,
      change: fc.oneof(
        fc.record({ max_slots: fc.option(few) }),
        fc.record({ ai_slots: fc.option(few) }),
        fc.record({ status: fc.constantFrom("OPEN", "CLOSED", null) }),
      ),
    }),
  },
  { weight: 1, arbitrary: of("regenerate", { reset: fc.boolean() }) },
  { weight: 1, arbitrary: of("wait", { seconds: fc.constantFrom(1, 45, 90) }) },
);

/** A separate branch for each run, with two windows and a few calls. */
async function openBranch() {
  const branchId = clinic.app.services.ids.uuid();
  const windows = [
    await clinic.createWindow({ branch_id: branchId, ai_slots: 1, max_slots: 2 }),
    await clinic.createWindow({ branch_id: branchId, session: "Evening", ai_slots: 2, max_slots: 3 }),
  ];
  const { ids, tracking, appointments } = clinic.app.services;
  const { db, clock, organisationId } = clinic;
  const contact = { contactName: null, contactNumber: "+919810012345", isNumberSure: true, contactEmail: null };
  const desks = Array.from({ length: CALLS }, (_, i): { callId: string; desk: BookingDesk } => {
    const callId = `call_${branchId}_${i}`;
    const caller = { callId, organisationId, branchId, appointmentTypeId: null, appointmentId: null, ...contact };
    return {
      callId,
      desk: createDesk({ db, clock, ids, tracking, appointments, isAbout: async () => {}, wake: () => {} }, caller),
    };
  });
  const slot = (window: number, date: number) => `${windows[window]!.calendar_id}||${DATES[date]!}`;
  const track = () => clinic.tracking(`?branch_id=${branchId}&from=${MONDAY}&to=${NEXT_MONDAY}`);

  /**
   * Whether it succeeded. Rejections for lack of capacity or because of the state are expected; anything else is a
   * failure.
   */
  async function perform(step: Act): Promise<boolean> {
    switch (step.do) {
      case "book":
        if (step.source === "api") return isDone(await clinic.postAppointment(slot(step.window, step.date)));
        return appointments
          .create(organisationId, { slot_id: slot(step.window, step.date) }, "dashboard", CLI_ACTOR)
          .then(() => true, isFull);
      case "move":
        return withAppointment(step.appointment, (id) =>
          clinic.patchAppointment(id, { slot_id: slot(step.window, step.date) }),
        );
      case "end":
        return withAppointment(step.appointment, (id) => clinic.patchAppointment(id, { status: step.status }));
      case "offer":
        return (await desks[step.call]!.desk.offer(step.most)).length > 0;
      case "choose":
        return (await desks[step.call]!.desk.book(step.label)) !== null;
      case "hang up":
        await db.write((tx) => deleteHoldsOfCall(tx, desks[step.call]!.callId));
        return true;
      case "resize":
        return isDone(
          await clinic.patchWindow(windows[step.window]!.slot_id, { max_slots: step.max, ai_slots: step.ai }),
        );
      case "open or close":
        return isDone(await clinic.patchWindow(windows[step.window]!.slot_id, { status: step.status }));
      case "override":
        return isDone(await clinic.override(slot(step.window, step.date), step.change));
      case "regenerate":
        return isDone(
          await clinic.regenerate({ branch_id: branchId, from: MONDAY, to: NEXT_MONDAY, reset_overrides: step.reset }),
        );
      case "wait":
        clinic.clock.jump(step.seconds * 1_000);
        return true;
    }
  }

  async function withAppointment(
    index: number,
    change: (id: string) => ReturnType<Clinic["patchAppointment"]>,
  ): Promise<boolean> {
    const rows = await db.reader
      .selectFrom("appointments")
      .select("id")
      .where("branch_id", "=", branchId)
      .orderBy("id")
      .execute();
    const row = rows[index % Math.max(1, rows.length)];
    return row ? isDone(await change(row.id)) : false;
  }

  return {
    perform,
    track,
    roomFor: (records: TrackingRecord[], step: Extract<Act, { do: "book" }>) =>
      hasRoom(records, slot(step.window, step.date)),
  };
}

function isDone({ status, text }: { status: number; text: string }): boolean {
  if (![200, 201, 400, 409].includes(status)) throw new Error(`${status}: ${text}`);
  return status < 300;
}

function isFull(error: unknown): false {
  if (error instanceof AppError && error.code === "SLOT_FULL") return false;
  throw error;
}

function hasRoom(records: TrackingRecord[], slotId: string): boolean {
  const record = records.find(({ slot_id }) => slot_id.startsWith(slotId));
  return record?.status === "OPEN" && record.available_slots! > 0;
}

function checkShown(records: TrackingRecord[]): void {
  for (const { max_slots, ai_slots, filled_slots, available_slots, ai_filled_slots, ai_available_slots } of records) {
    expect(available_slots!).toBeWithin(0, Math.max(0, max_slots - filled_slots!) + 1);
    expect(ai_available_slots).toBeWithin(0, Math.min(available_slots!, Math.max(0, ai_slots - ai_filled_slots)) + 1);
  }
}

/** Enough to find every planted fault, and bounded on a slow machine. */
const MOST_MS = 20_000;

test("bookings, moves, cancellations, holds, capacity changes and regenerations, sequential and concurrent", async () => {
  const tally = { done: 0, refused: 0 };
  const alone = fc.array(act, { minLength: 1, maxLength: 1 });
  const atOnce = fc.array(act, { minLength: 2, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(alone, atOnce), { minLength: 8, maxLength: 25 }), async (rounds) => {
      const branch = await openBranch();
      for (const acts of rounds) {
        const before = await branch.track();
        const outcomes = await Promise.all(acts.map(branch.perform));
        ledger.checkCounters();
        ledger.checkPlacesTaken();
        const after = await branch.track();
        checkShown(after);
        for (const done of outcomes) tally[done ? "done" : "refused"] += 1;
        if (acts.length > 1) continue;
        // A single action has no competitor: it is rejected only for lack of capacity, and recounting changes nothing.
        const [only] = acts;
        if (only?.do === "book") expect(outcomes[0]).toBe(branch.roomFor(before, only));
        if (only?.do === "regenerate" && !only.reset) expect(after).toEqual(before);
      }
    }),
    { numRuns: 120, plugins: [fc.interruptAfterTimeLimit(MOST_MS)] },
  );
  expect(tally.done).toBeGreaterThan(200);
  expect(tally.refused).toBeGreaterThan(50);
  expect(ledger.checkPlacesTaken()).toBeGreaterThan(50);
}, 180_000);

test("a hundred concurrent clients for the last slots: as many win as there are slots", async () => {
  const window = await clinic.createWindow({ branch_id: clinic.app.services.ids.uuid(), ai_slots: 3, max_slots: 7 });
  const slotId = `${window.calendar_id}||${MONDAY}`;
  const { appointments } = clinic.app.services;
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      i % 2 === 0
        ? clinic.postAppointment(slotId).then(({ status }) => status === 201)
        : appointments
            .create(clinic.organisationId, { slot_id: slotId }, i % 3 === 0 ? "dashboard" : "ai", CLI_ACTOR)
            .then(() => true, isFull),
    ),
  );
  expect(outcomes.filter(Boolean).length).toBe(7);
  const rows = (await clinic.appointmentRows()).filter(({ window_id }) => window_id === window.calendar_id);
  expect(rows.length).toBe(7);
  expect(rows.filter(({ source }) => source === "ai").length).toBeLessThanOrEqual(3);
  ledger.checkCounters();
  ledger.checkPlacesTaken();
});
