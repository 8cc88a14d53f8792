// Property test with random call histories: the invariants hold for every sequence of requests and line events.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { nextState, CALL_EVENTS } from "../../src/calls/call/state.ts";
import type { CallState } from "../../src/calls/call/records.ts";
import { runsOf } from "../support/engines.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";

type Step =
  | { kind: "create"; contact: number; inSeconds: number }
  | { kind: "cancel" | "delete"; pick: number }
  | { kind: "wait"; seconds: number }
  | { kind: "ring" | "answer" | "complete" | "fail" | "talk"; pick: number };

const pick = fc.nat({ max: 30 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("create" as const),
      contact: fc.nat({ max: 4 }),
      inSeconds: fc.integer({ min: 1, max: 90 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("cancel" as const, "delete" as const), pick }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("wait" as const), seconds: fc.integer({ min: 0, max: 60 }) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom("ring", "answer", "complete", "fail", "talk"), pick }) },
);

/** Every state reachable from `from`, including itself. */
function reachable(from: CallState): Set<CallState> {
  const found = new Set<CallState>([from]);
  for (const state of found) {
    for (const event of CALL_EVENTS) {
      const next = nextState(state, event);
      if (next) found.add(next);
    }
  }
  return found;
}

class Life {
  readonly ids: string[] = [];
  readonly cancelled = new Set<string>();
  readonly deleted = new Set<string>();
  readonly lastState = new Map<string, CallState>();
  constructor(readonly hospital: Hospital) {}

  async take(step: Step): Promise<void> {
    const { hospital, ids } = this;
    const { carrier, clock } = hospital;
    if (step.kind === "create") {
      const scheduled_time = new Date(clock.now() + step.inSeconds * 1_000).toISOString();
      ids.push(await hospital.schedule({ user_number: `+91981000000${step.contact}`, scheduled_time }));
    } else if (step.kind === "wait") {
      await clock.advance(step.seconds * 1_000);
    } else if (step.kind === "cancel" || step.kind === "delete") {
      const id = ids[step.pick % Math.max(ids.length, 1)];
      if (id !== undefined) await (step.kind === "cancel" ? this.cancel(id) : this.remove(id));
    } else {
      const live = [...carrier.live];
      const id = live[step.pick % Math.max(live.length, 1)];
      if (id !== undefined) carrier[step.kind](id);
    }
    await settle();
    await this.check();
  }

  async cancel(id: string): Promise<void> {
    const wasDialled = this.hospital.carrier.dialled.some(({ callId }) => callId === id);
    const { status } = await this.hospital.request("POST", `/v1/calls/${id}/cancel`);
    if (this.deleted.has(id)) expect(status).toBe(404);
    else if (wasDialled) expect(status).toBe(409);
    if (status === 200) this.cancelled.add(id);
  }

  async remove(id: string): Promise<void> {
    const before = this.lastState.get(id);
    const { status } = await this.hospital.request("DELETE", `/v1/calls/${id}`);
    expect(status).toBe(!this.deleted.has(id) && before === "completed" ? 200 : 404);
    if (status === 200) this.deleted.add(id);
  }

  async check(): Promise<void> {
    const { db, carrier } = this.hospital;
    const rows = await db.reader.selectFrom("calls").selectAll().execute();
    const dialled = carrier.dialled.map(({ callId }) => callId);
    // No call twice, none that was cancelled, none before its time.
    expect(new Set(dialled).size).toBe(dialled.length);
    for (const id of this.cancelled) expect(dialled).not.toContain(id);
    for (const row of rows) {
      if (row.triggered_at !== null) expect(row.triggered_at).toBeGreaterThanOrEqual(row.scheduled_at);
      expect(reachable(this.lastState.get(row.id) ?? "scheduled")).toContain(row.state);
      expect(dialled.includes(row.id)).toBe(
        ["initiated", "ringing", "in_progress", "completed", "failed"].includes(row.state),
      );
      expect(this.cancelled.has(row.id)).toBe(row.state === "cancelled");
      expect(row.finished_at === null).toBe(reachable(row.state).size > 1);
      this.lastState.set(row.id, row.state);
    }
    // The carrier's calls are the live ones of the table, and no number is on two lines at once.
    const live = rows.filter(({ state }) => ["initiated", "ringing", "in_progress"].includes(state));
    expect(live.map(({ id }) => id).toSorted()).toEqual([...carrier.live].toSorted());
    expect(new Set(live.map(({ contact_number }) => contact_number)).size).toBe(live.length);
    for (const id of this.deleted) expect(rows.some((row) => row.id === id)).toBeFalse();
    const { credit_balance } = await db.reader
      .selectFrom("organisations")
      .select("credit_balance")
      .executeTakeFirstOrThrow();
    const entries = await db.reader.selectFrom("credit_entries").select("amount").execute();
    expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(credit_balance);
  }
}

test("cancelled is never dialled, started is never cancelled, nothing is dialled twice, and the ledger adds up", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: "max" }), async (steps) => {
      const hospital = await createHospital({
        agent: { retry_attempts: 1, retry_minutes: 1, retry_outcomes: ["busy"] },
        numberLines: 3,
      });
      try {
        await hospital.app.start();
        const life = new Life(hospital);
        for (const next of steps) await life.take(next);
      } finally {
        await hospital.close();
      }
    }),
    { numRuns: runsOf(25) },
  );
}, 180_000);
