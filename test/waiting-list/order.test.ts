// Property test with random concurrent actions and crashes: never two people for one slot, never more than the capacity
// of a date, and no person is called before one who has waited longer and whom the slot suits as well.
import { afterAll, beforeAll, expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import fc from "fast-check";
import { createPlaceDesk } from "../../src/waiting-list/desk.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { AppError } from "../../src/core/errors.ts";
import { applyEvent, callById } from "../../src/calls/call/store.ts";
import type { Tx } from "../../src/db/tables.ts";
import type { Slot } from "../../src/payloads/slot.ts";
import type { BookingDesk } from "../../src/calendar/desk-port.ts";
import { MONDAY, NEXT_MONDAY } from "../calendar/clinic.ts";
import { keepLedger, type Ledger } from "../calendar/ledger.ts";
import { createWard, type Ward } from "./ward.ts";
import { fileOf } from "../support/temp.ts";

const DATES = [MONDAY, NEXT_MONDAY];
const SESSIONS = ["Morning", "Evening"] as const;

let ward: Ward;
let ledger: Ledger;
let connection: InstanceType<typeof Sqlite>;
beforeAll(async () => {
  // Every person is reachable, and the daily call limit is never reached: order alone decides.
  ward = await createWard({
    settings: {
      RINGWARD_WAITING_LIST__CALLS_PER_DAY: "20",
      RINGWARD_WAITING_LIST__LEAST_MINUTES_AHEAD: "0",
    },
  });
  ledger = keepLedger(ward.db);
  connection = new Sqlite(fileOf(ward.db));
  // At the moment of an offer: whether there is capacity, and whether a suitable person has waited longer without being
  // asked.
  connection.exec(`
    CREATE TABLE test_offers (room INTEGER, passed_by INTEGER);
    CREATE TRIGGER test_offered AFTER INSERT ON waiting_offers BEGIN
      INSERT INTO test_offers SELECT
        coalesce(d.max_slots, w.max_slots)
          - (SELECT count(*) FROM appointments a WHERE a.window_id = w.id AND a.date = NEW.date AND a.status <> 'cancelled')
          - (SELECT count(*) FROM slot_holds h WHERE h.window_id = w.id AND h.date = NEW.date AND h.expires_at > NEW.offered_at),
        (SELECT count(*) FROM waiting_list e JOIN waiting_list mine ON mine.id = NEW.entry_id
          LEFT JOIN waiting_openings o ON o.window_id = w.id AND o.date = NEW.date
          WHERE e.branch_id = w.branch_id AND e.state = 'waiting' AND e.id <> mine.id
            AND (e.created_at < mine.created_at OR (e.created_at = mine.created_at AND e.id < mine.id))
            AND NEW.date BETWEEN e.from_date AND e.to_date
            AND (e.sessions = '' OR instr(e.sessions, w.session) > 0)
            AND NOT EXISTS (SELECT 1 FROM waiting_offers p WHERE p.entry_id = e.id AND p.window_id = w.id
              AND p.date = NEW.date AND p.offered_at >= o.opened_at))
      FROM windows w LEFT JOIN window_dates d ON d.window_id = w.id AND d.date = NEW.date WHERE w.id = NEW.window_id;
    END;`);
});
afterAll(async () => {
  connection.close();
  ledger.close();
  await ward.close();
});

type Act =
  | { do: "waits"; dates: number; session: number }
  | { do: "leaves"; entry: number }
  | { do: "book"; window: number; date: number }
  | { do: "bookWaiting"; entry: number; window: number; date: number }
  | { do: "cancel"; appointment: number }
  | { do: "move"; appointment: number; window: number; date: number }
  | { do: "resize"; window: number; max: number }
  | { do: "override"; window: number; date: number; max: number | null; status: "OPEN" | "CLOSED" | null }
  | { do: "look" }
  | { do: "accepts"; call: number }
  | { do: "declines"; call: number; stays: boolean }
  | { do: "ends"; call: number; event: "complete" | "fail" }
  | { do: "killed" }
  | { do: "time"; minutes: number };

const few = fc.integer({ min: 0, max: 3 });
const which = fc.integer({ min: 0, max: 1 });
const any = fc.nat({ max: 100 });
const of = <D extends Act["do"]>(
  kind: D,
  fields: { [K in keyof Omit<Extract<Act, { do: D }>, "do">]: fc.Arbitrary<Extract<Act, { do: D }>[K]> },
) => fc.record({ do: fc.constant(kind), ...fields }) as unknown as fc.Arbitrary<Act>;

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: of("waits", { dates: fc.integer({ min: 0, max: 2 }), session: fc.integer({ min: 0, max: 2 }) }),
  },
  { weight: 1, arbitrary: of("leaves", { entry: any }) },
  { weight: 3, arbitrary: of("book", { window: which, date: which }) },
  { weight: 2, arbitrary: of("bookWaiting", { entry: any, window: which, date: which }) },
  { weight: 4, arbitrary: of("cancel", { appointment: any }) },
  { weight: 2, arbitrary: of("move", { appointment: any, window: which, date: which }) },
  { weight: 2, arbitrary: of("resize", { window: which, max: few }) },
  {
    weight: 2,
    arbitrary: of("override", {
      window: which,
      date: which,
      max: fc.option(few),
      status: fc.constantFrom("OPEN", "CLOSED", null),
    }),
  },
  { weight: 8, arbitrary: of("look", {}) },
  { weight: 5, arbitrary: of("accepts", { call: any }) },
  { weight: 2, arbitrary: of("declines", { call: any, stays: fc.boolean() }) },
  { weight: 3, arbitrary: of("ends", { call: any, event: fc.constantFrom("complete", "fail") }) },
  { weight: 1, arbitrary: of("killed", {}) },
  { weight: 1, arbitrary: of("time", { minutes: fc.constantFrom(1, 16, 61) }) },
);

const isRefusal = (error: unknown): void => {
  if (!(error instanceof AppError)) throw error;
};

let people = 0;

/** A separate branch for each run, with a morning and an evening window. */
async function openBranch() {
  const { db, clock, organisationId } = ward;
  const { ids, appointments, tracking, windows, waitingList, waitingOffers, finalCalls } = ward.app.services;
  const branchId = ids.uuid();
  const both: Slot[] = [];
  for (const session of SESSIONS) {
    both.push(await ward.createWindow({ branch_id: branchId, session, ai_slots: 1, max_slots: 1 }));
  }
  const slot = (window: number, date: number) => `${both[window]!.calendar_id}||${DATES[date]!}`;
  /** Lost with the process. */
  let desks = new Map<string, BookingDesk>();

  const booked = () =>
    db.reader
      .selectFrom("appointments")
      .select("id")
      .where("branch_id", "=", branchId)
      .where("status", "=", "confirmed")
      .orderBy("id")
      .execute();
  const entries = () =>
    db.reader.selectFrom("waiting_list").selectAll().where("branch_id", "=", branchId).orderBy("id").execute();
  const liveCalls = async () =>
    (
      await db.reader
        .selectFrom("waiting_offers")
        .innerJoin("calls", "calls.id", "waiting_offers.call_id")
        .innerJoin("waiting_list", "waiting_list.id", "waiting_offers.entry_id")
        .select("calls.id")
        .where("waiting_list.branch_id", "=", branchId)
        .where("calls.finished_at", "is", null)
        .orderBy("calls.id")
        .execute()
    ).map(({ id }) => id);
  const pick = <T>(from: readonly T[], at: number): T | undefined => from[at % Math.max(1, from.length)];

  const deskOf = (callId: string): BookingDesk => {
    const desk =
      desks.get(callId) ??
      createPlaceDesk({ db, clock, appointments, offers: waitingOffers, wake: () => {} }, { callId, organisationId });
    desks.set(callId, desk);
    return desk;
  };

  /** As the lifecycle does it: the state and its consequences in one transaction. */
  async function end(tx: Tx, callId: string, event: "complete" | "fail"): Promise<void> {
    const now = clock.now();
    const change = { updated_at: now, finished_at: now };
    for (const step of ["due", "dial", "answer", event] as const) {
      const call = await callById(tx, callId);
      if (call) await applyEvent(tx, call, step, step === event ? change : { updated_at: now });
    }
    const ended = await callById(tx, callId);
    if (ended) await finalCalls.tell(tx, ended);
  }

  async function perform(step: Act): Promise<void> {
    switch (step.do) {
      case "waits": {
        const dates =
          step.dates === 2 ? { from: MONDAY, to: NEXT_MONDAY } : { from: DATES[step.dates]!, to: DATES[step.dates]! };
        const session = SESSIONS[step.session];
        const wishes = { branch_id: branchId, ...dates, ...(session ? { sessions: [session] } : {}) };
        await ward.waits(`Person ${people++}`, wishes);
        return;
      }
      case "leaves": {
        const entry = pick(await entries(), step.entry);
        if (entry) await waitingList.remove(organisationId, entry.id, CLI_ACTOR);
        return;
      }
      case "book":
        await appointments
          .create(organisationId, { slot_id: slot(step.window, step.date) }, "dashboard", CLI_ACTOR)
          .catch(isRefusal);
        return;
      case "bookWaiting": {
        const entry = pick(await entries(), step.entry);
        if (!entry) return;
        const { contact_name, contact_number } = entry;
        const wanted = { slot_id: slot(step.window, step.date), contact_name, contact_number };
        await appointments.create(organisationId, wanted, "api", CLI_ACTOR).catch(isRefusal);
        return;
      }
      case "cancel":
      case "move": {
        const appointment = pick(await booked(), step.appointment);
        if (!appointment) return;
        const change =
          step.do === "cancel" ? { status: "cancelled" as const } : { slot_id: slot(step.window, step.date) };
        await appointments.update(organisationId, appointment.id, change, CLI_ACTOR).catch(isRefusal);
        return;
      }
      case "resize":
        await windows
          .update(organisationId, both[step.window]!.slot_id, { max_slots: step.max, ai_slots: 0 }, CLI_ACTOR)
          .catch(isRefusal);
        return;
      case "override":
        await tracking
          .override(
            organisationId,
            slot(step.window, step.date),
            { max_slots: step.max, ai_slots: null, status: step.status },
            CLI_ACTOR,
          )
          .catch(isRefusal);
        return;
      case "look":
        await ward.look();
        return;
      case "accepts": {
        const callId = pick(await liveCalls(), step.call);
        if (callId === undefined) return;
        const [offer] = await deskOf(callId).offer(1);
        if (offer) await deskOf(callId).book(offer.label);
        return;
      }
      case "declines": {
        const callId = pick(await liveCalls(), step.call);
        if (callId !== undefined) await deskOf(callId).decline!(step.stays);
        return;
      }
      case "ends": {
        const callId = pick(await liveCalls(), step.call);
        if (callId !== undefined) await db.write((tx) => end(tx, callId, step.event));
        return;
      }
      case "killed":
        desks = new Map();
        // What recovery does at the next start.
        for (const callId of await liveCalls()) await db.write((tx) => end(tx, callId, "fail"));
        return;
      case "time":
        clock.jump(step.minutes * 60_000);
    }
  }

  /** The invariants at any moment. */
  async function check(): Promise<void> {
    const offers = await db.reader
      .selectFrom("waiting_offers")
      .innerJoin("waiting_list", "waiting_list.id", "waiting_offers.entry_id")
      .select([
        "waiting_offers.state",
        "waiting_offers.entry_id",
        "waiting_offers.call_id",
        "waiting_list.state as entry",
      ])
      .where("waiting_list.branch_id", "=", branchId)
      .execute();
    const calling = offers.filter(({ state }) => state === "calling");
    expect(new Set(calling.map(({ entry_id }) => entry_id)).size).toBe(calling.length);
    for (const { entry } of calling) expect(["offered", "removed"]).toContain(entry);
    const held = await db.reader.selectFrom("slot_holds").select("call_id").execute();
    const callIds = new Set(offers.map(({ call_id }) => call_id));
    expect(
      held
        .filter(({ call_id }) => callIds.has(call_id))
        .map(({ call_id }) => call_id)
        .toSorted(),
    ).toEqual(calling.map(({ call_id }) => call_id).toSorted());
    for (const entry of await entries()) {
      expect(entry.state === "offered").toBe(
        calling.some(({ entry_id }) => entry_id === entry.id) && entry.state !== "removed",
      );
      const taken = offers.filter(({ entry_id, state }) => entry_id === entry.id && state === "booked");
      // Booked by a yes in a call, or in another way.
      expect(taken.length).toBeLessThanOrEqual(1);
      expect(entry.appointment_id !== null).toBe(entry.state === "booked");
    }
  }

  return { perform, check };
}

test("never two people for one slot, within capacity, and in order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { minLength: 5, maxLength: 20 }),
      async (rounds) => {
        const { perform, check } = await openBranch();
        for (const round of rounds) {
          // With a stopped clock, everyone would have the same waiting time.
          ward.clock.jump(1);
          await Promise.all(round.map(perform));
          await check();
        }
        expect(connection.prepare("SELECT * FROM test_offers WHERE room < 0 OR passed_by > 0").all()).toEqual([]);
      },
    ),
    { numRuns: 30 },
  );
  ledger.checkCounters();
  expect(ledger.checkPlacesTaken()).toBeGreaterThan(10);
  expect(connection.prepare("SELECT count(*) FROM test_offers").pluck().get()).toBeGreaterThan(20);
}, 180_000);
