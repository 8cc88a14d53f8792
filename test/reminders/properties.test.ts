// Property test with random actions of staff, patients and the clock: one reminder per rule and appointment time, never
// for a cancelled appointment, never too late, never at night.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { HOUR_MS, MINUTE_MS } from "../../src/core/clock.ts";
import { wallTime } from "../../src/core/zones.ts";
import { MONDAY, NEXT_MONDAY, on } from "../calendar/clinic.ts";
import { runsOf } from "../support/engines.ts";
import { settle } from "../support/manual-clock.ts";
import { createWard, type Ward } from "./ward.ts";

const step = fc.oneof(
  fc.record({ kind: fc.constant("pass" as const), hours: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ kind: fc.constant("book" as const), isSoon: fc.boolean() }),
  fc.record({ kind: fc.constantFrom("move" as const, "cancel" as const), which: fc.nat(5), isSoon: fc.boolean() }),
  fc.record({ kind: fc.constant("rule" as const), enabled: fc.boolean(), hour: fc.integer({ min: 9, max: 19 }) }),
  fc.record({ kind: fc.constant("end" as const), isReached: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Heard {
  appointmentId: string;
  date: string;
  attempts: number;
}

/** Every dialled call, with the state of its appointment at that moment. */
async function dialsOf(ward: Ward, seen: Set<string>, heard: Heard[]): Promise<void> {
  for (const { callId } of ward.carrier.dialled) {
    if (seen.has(callId)) continue;
    seen.add(callId);
    const reminder = (await ward.rows()).find(({ call_id }) => call_id === callId);
    const appointment = (await ward.appointmentRows()).find(({ id }) => id === reminder?.appointment_id);
    expect(appointment).toMatchObject({ status: "confirmed", date: reminder!.date });
    expect(ward.clock.now()).toBeLessThan(reminder!.starts_at);
    const { minuteOfDay } = wallTime(ward.clock.now(), "Asia/Kolkata");
    expect(minuteOfDay).toBeGreaterThanOrEqual(9 * 60);
    expect(minuteOfDay).toBeLessThan(20 * 60 + 2);
    heard.push({ appointmentId: appointment!.id, date: reminder!.date, attempts: reminder!.attempts });
  }
}

async function take(ward: Ward, ruleId: string, booked: string[], one: Step): Promise<void> {
  const slot = (isSoon: boolean) => on(ward.window, isSoon ? MONDAY : NEXT_MONDAY);
  if (one.kind === "pass") {
    ward.clock.pass(one.hours * HOUR_MS - MINUTE_MS);
    await ward.clock.advance(31_000);
    await ward.clock.advance(31_000);
  } else if (one.kind === "book") {
    const contact_number = `+91981001${String(1000 + booked.length)}`;
    const { json, status } = await ward.postAppointment(slot(one.isSoon), { contact_number });
    if (status === 201) booked.push(String(json.data["appointment_id"]));
  } else if (one.kind === "rule") {
    await ward.changeRule(ruleId, { enabled: one.enabled, at: `${String(one.hour).padStart(2, "0")}:00` });
  } else if (one.kind === "end") {
    for (const callId of ward.carrier.live) {
      if (one.isReached) ward.carrier.talk(callId);
      else ward.carrier.fail(callId, "no_answer");
    }
    await settle();
  } else {
    const id = booked[one.which];
    if (id === undefined) return;
    await ward.patchAppointment(id, one.kind === "move" ? { slot_id: slot(one.isSoon) } : { status: "cancelled" });
  }
}

test("any sequence of events over two weeks", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 30 }), async (steps) => {
      const ward = await createWard();
      try {
        const ruleId = await ward.rule({ at: "15:00", tries: 2, retry_minutes: 30 });
        const seen = new Set<string>();
        const heard: Heard[] = [];
        const booked: string[] = [];
        for (const one of steps) {
          await take(ward, ruleId, booked, one);
          await dialsOf(ward, seen, heard);
        }
        const tries = heard.map(({ appointmentId, date, attempts }) => `${appointmentId} ${date} ${attempts}`);
        expect(new Set(tries).size).toBe(tries.length);
        expect(heard.every(({ attempts }) => attempts < 2)).toBe(true);
      } finally {
        await ward.close();
      }
    }),
    { numRuns: runsOf(12) },
  );
}, 180_000);
