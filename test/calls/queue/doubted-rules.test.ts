// Rules and a clock that is not trusted: a jump lets no call out, and the rules hold after the clock is confirmed.
import { afterEach, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "../../../src/core/clock.ts";
import { confirmBelieved } from "../../../src/scheduler/clock-store.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";

let hospital: Hospital;
afterEach(() => hospital.close());

/** Eight in the evening where it is half past eleven in India, and eight in the morning twelve hours later. */
const CAIRO = { user_number: "+919810012399", user_time_zone: "Africa/Cairo" };
const dialled = () => hospital.carrier.dialled.map(({ callId }) => callId);

/** Half past eleven in India on a Sunday, or so many hours later. */
async function open(hoursLater = 0): Promise<void> {
  hospital = await createHospital({ isEnforced: true, agent: { latest_minutes: 1_440 } });
  await hospital.clock.advance(0);
  hospital.clock.pass(hoursLater * HOUR_MS);
  await hospital.app.start();
}

const held = async (id: string) => {
  const { hold_reason, next_attempt_at } = await hospital.view(id);
  return `${hold_reason} ${next_attempt_at}`;
};
const confirm = () => hospital.db.write((tx) => confirmBelieved(tx, hospital.clock.now(), null));

async function jump(hours: number): Promise<void> {
  hospital.clock.jump(hours * HOUR_MS);
  await hospital.clock.advance(MINUTE_MS);
}

test("at night a clock that jumps into the day lets nothing out, until a person says that it is day", async () => {
  await open(12);
  const id = await hospital.schedule();
  await hospital.clock.advance(MINUTE_MS);
  expect(await held(id)).toBe("outside_legal_hours 2026-11-16T03:30:00.000Z");

  await jump(12);
  const abroad = await hospital.schedule(CAIRO);
  await hospital.clock.advance(10 * MINUTE_MS);
  expect([await held(id), await held(abroad)]).toEqual(["clock_not_trusted null", "clock_not_trusted null"]);
  expect(dialled()).toEqual([]);

  // The time comes back: night it is.
  await jump(-12);
  expect(await held(id)).toBe("outside_legal_hours 2026-11-16T03:30:00.000Z");
  expect(dialled()).toEqual([]);

  await jump(12);
  await confirm();
  await hospital.clock.advance(MINUTE_MS);
  // By the confirmed clock the hours are open in India, and not yet in Cairo.
  expect(dialled()).toEqual([id]);
  expect(await held(abroad)).toBe("outside_legal_hours 2026-11-16T07:00:00.000Z");
});

test.each([24, -24])("a clock that is %d hours off does not start the day of a limit anew", async (hours) => {
  await open();
  for (let i = 0; i < 3; i++) {
    hospital.carrier.fail(await hospital.dial(), "busy");
    await settle();
  }
  const id = await hospital.schedule();
  await hospital.clock.advance(MINUTE_MS);
  const waits = "too_many_calls 2026-11-15T18:30:00.000Z";
  expect(await held(id)).toBe(waits);
  await jump(hours);
  const other = await hospital.schedule();
  await jump(0);
  expect(await held(other)).toBe("clock_not_trusted null");
  expect(dialled()).toHaveLength(3);
  await jump(-hours);
  expect(await held(id)).toBe(waits);
  await hospital.clock.advance(MINUTE_MS);
  expect(await held(other)).toStartWith("too_many_calls 2026-11-15T18:30:00");
  expect(dialled()).toHaveLength(3);
});

test("a clock that is confirmed a day back still counts the calls of the later day", async () => {
  await open();
  for (let i = 0; i < 3; i++) {
    hospital.carrier.fail(await hospital.dial(), "busy");
    await settle();
  }
  await jump(-24);
  await confirm();
  const id = await hospital.schedule();
  await hospital.clock.advance(MINUTE_MS);
  expect(dialled()).toHaveLength(3);
  expect(await held(id)).toStartWith("too_many_calls ");
});
