// Thirty thousand calls over three minutes: none lost, none early, none twice, none late by more than a tick.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { insertCall } from "../../src/calls/call/store.ts";
import { callRow } from "../support/call-rows.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";

const CALLS = 30_000;
const TICK_MS = 1_000;
const TICKS = 180;
/**
 * Triggers make SQLite keep a statement journal, which grows with the pages of one command: 5,000 rows took ten times
 * as long.
 */
const ROWS_PER_WRITE = 250;

let hospital: Hospital;
beforeAll(async () => {
  hospital = await createHospital({ numberLines: 10_000, carrierLines: 30_000 });
  const { organisations, credits } = hospital.app.services;
  await organisations.setPlan(hospital.organisationId, "enterprise", CLI_ACTOR);
  await credits.setUnlimited(hospital.organisationId, true, CLI_ACTOR);
});
afterAll(() => hospital.close());

/** Spread unevenly: a burst at the start of every minute, as people schedule. */
function offsetOf(i: number): number {
  const tick = (i * 7_919) % TICKS;
  return i % 5 === 0 ? tick - (tick % 60) : tick;
}

test("30,000 scheduled calls are all dialled, once, on time", async () => {
  const { db, clock, carrier, organisationId, agentId } = hospital;
  const start = clock.now() + 60_000;
  for (let first = 0; first < CALLS; first += ROWS_PER_WRITE) {
    await db.write(async (tx) => {
      for (let i = first; i < first + ROWS_PER_WRITE; i++) {
        const at = start + offsetOf(i) * TICK_MS;
        await insertCall(
          tx,
          callRow({
            id: `call_${String(i).padStart(26, "0")}`,
            organisation_id: organisationId,
            agent_id: agentId,
            contact_number: `+9198${String(10_000_000 + i)}`,
            scheduled_at: at,
            next_at: at,
          }),
        );
      }
    });
  }

  // Each call is answered and hung up immediately: this measures the appliance, not the conversation.
  let latest = 0;
  let early = 0;
  const seen = new Uint8Array(CALLS);
  carrier.onDial = ({ callId }) => {
    const i = Number(callId.slice(5));
    seen[i]! += 1;
    const lateMs = clock.now() - (start + offsetOf(i) * TICK_MS);
    if (lateMs < 0) early += 1;
    latest = Math.max(latest, lateMs);
    carrier.fail(callId, "busy");
  };

  await hospital.app.start();
  await clock.advance(60_000);
  for (let tick = 0; tick < TICKS; tick++) await clock.advance(TICK_MS);
  await settle();

  expect(early).toBe(0);
  expect(seen.every((count) => count === 1)).toBeTrue();
  expect(latest).toBeLessThan(TICK_MS);
  const left = await db.reader
    .selectFrom("calls")
    .select(({ fn }) => ["state", fn.countAll<number>().as("calls")])
    .groupBy("state")
    .execute();
  expect(left).toEqual([{ state: "failed", calls: CALLS }]);
  // Under a minute on a quiet machine; other processes may take most of both cores.
}, 1_200_000);
