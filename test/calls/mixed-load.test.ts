// Concurrent creates, claims and reports: few commands are retried on PostgreSQL, and nothing is dialled twice.
import { afterEach, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { createHospital, DIAL_DELAY_MS, type Hospital } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";

const CALLS = 60;
const MOST_REPEATED = 0.05;

let hospital: Hospital;
afterEach(() => hospital.close());

test("creates concurrent with dials and ends of other calls retry fewer than 5 % of commands", async () => {
  hospital = await createHospital({
    carrierLines: 1_000,
    numberLines: 1_000,
    settings: { RINGWARD_PLANS__BASE__CONCURRENT_CALLS: "unlimited" },
  });
  const { app, carrier, clock, db, organisationId } = hospital;
  await app.services.credits.setUnlimited(organisationId, true, CLI_ACTOR);
  await hospital.subscribe();
  await app.start();
  const numberOf = (round: number, i: number) => `+91981${round}${String(100_000 + i)}`;
  const createSome = (round: number) =>
    Promise.all(Array.from({ length: CALLS }, (_, i) => hospital.schedule({ user_number: numberOf(round, i) })));
  await createSome(1);
  const before = { ...db.stats };
  for (let round = 2; round <= 4; round++) {
    // The previous round's calls fall due while new ones are created.
    await Promise.all([clock.advance(DIAL_DELAY_MS), createSome(round)]);
    const live = [...carrier.live];
    for (const id of live) carrier.ring(id);
    const creating = createSome(round + 4);
    for (const [i, id] of live.entries())
      if (i % 2 === 0) carrier.talk(id, { durationSeconds: 60 });
      else carrier.fail(id, "busy");
    await creating;
    await settle();
  }
  const { commands, repeats } = db.stats;
  expect(commands - before.commands).toBeGreaterThan(5 * CALLS);
  expect((repeats - before.repeats) / (commands - before.commands)).toBeLessThan(MOST_REPEATED);
  const dialled = carrier.dialled.map(({ callId }) => callId);
  expect(new Set(dialled).size).toBe(dialled.length);
}, 180_000);
