// Test calls of a trunk follow the rules of real ones; a reason overrides hours and limits alone.
import { afterEach, expect, test } from "bun:test";
import { HOUR_MS } from "../../src/core/clock.ts";
import type { AppError } from "../../src/core/errors.ts";
import { addDoNotDisturb } from "../../src/calls/people/do-not-disturb-store.ts";
import type { Purpose } from "../../src/payloads/lawful.ts";
import { saveConsents } from "../../src/rules/consent/record-store.ts";
import { consentRow } from "../support/consents.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";
import { rejectionOf } from "../support/temp.ts";

const NUMBER = "+919810054321";
const REASON = "My own desk phone.";
/** From 11:30 in India to 21:30. */
const TO_THE_EVENING_MS = 10 * HOUR_MS;
const MOST_PER_DAY = 3;

let hospital: Hospital;
afterEach(() => hospital.close());

async function open(isEnforced = true): Promise<void> {
  hospital = await createHospital({ isEnforced });
}

const begin = (changes: { number?: string; reason?: string | null; isClockBelieved?: boolean } = {}) =>
  hospital.app.services.testCalls.begin(hospital.organisationId, {
    number: NUMBER,
    reason: null,
    isClockBelieved: true,
    ...changes,
  });
const refusal = async (changes?: Parameters<typeof begin>[0]) => (await rejectionOf<AppError>(begin(changes))).message;

async function withdrawn(purpose: Purpose): Promise<void> {
  const row = consentRow(hospital.organisationId, NUMBER, purpose, { withdrawn_at: 1 });
  await hospital.db.write((tx) => saveConsents(tx, [row]));
}

test("outside the legal hours a test call needs a reason, which is kept", async () => {
  await open();
  hospital.clock.pass(TO_THE_EVENING_MS);
  const words = await refusal();
  expect(words).toContain("legal hours");
  expect(words).toContain("from 2026-11-16T03:30:00");
  expect(words).toContain("give a reason");
  expect(await begin({ reason: ` ${REASON} ` })).toMatchObject({ overridden: ["outside_legal_hours"], reason: REASON });
});

test("a reason has 10 to 500 characters, also where it is not needed", async () => {
  await open();
  for (const reason of ["too short", "x".repeat(501)]) expect(await refusal({ reason })).toContain("10 to 500");
  expect(await begin({ reason: REASON })).toMatchObject({ overridden: [], reason: REASON });
});

test("test calls count against the limits of the number, unless no telephone rang", async () => {
  await open();
  const { testCalls } = hospital.app.services;
  for (let i = 0; i < MOST_PER_DAY; i++) {
    hospital.clock.pass(1);
    await testCalls.forget(hospital.organisationId, NUMBER, await begin());
    hospital.clock.pass(1);
    await begin();
  }
  expect(await refusal()).toContain("as often as the rules allow");
  expect(await begin({ reason: REASON })).toMatchObject({ overridden: ["too_many_calls"] });
  const body = { agent_id: hospital.agentId, user_number: NUMBER };
  const { json } = await hospital.request("POST", "/v1/calls?dry_run=true", { body });
  expect(json.data).toMatchObject({ held_back_by: [{ reason: "too_many_calls" }] });
});

test("no reason overrides an objection", async () => {
  await open();
  const { db, organisationId } = hospital;
  await db.write((tx) => addDoNotDisturb(tx, organisationId, NUMBER, 0, { source: "api", callId: null }));
  expect(await refusal({ reason: REASON })).toContain("do-not-disturb");
});

test.each<Purpose>(["service", "promotional", "transactional"])(
  "no reason overrides a consent that was withdrawn for %s calls",
  async (purpose) => {
    await open();
    await withdrawn(purpose);
    expect(await refusal({ reason: REASON })).toContain("withdrawn the consent");
  },
);

test("no reason overrides a clock that is not trusted", async () => {
  await open();
  expect(await refusal({ reason: REASON, isClockBelieved: false })).toContain("clock has jumped");
});

test("where the rules are not enforced, none of them holds", async () => {
  await open(false);
  await withdrawn("service");
  hospital.clock.pass(TO_THE_EVENING_MS);
  for (let i = 0; i <= MOST_PER_DAY; i++) {
    hospital.clock.pass(1);
    expect(await begin()).toMatchObject({ overridden: [] });
  }
});
