// A call that broke off keeps what its agent reported: notices, recording and agreements.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { CONTACT_NUMBER, createHospital, type Hospital } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";

let hospital: Hospital;
let id: string;
beforeEach(async () => {
  hospital = await createHospital({ agent: { retry_attempts: 1, retry_outcomes: ["interrupted"] } });
  await hospital.app.start();
  await hospital.subscribe();
  id = await hospital.dial();
  hospital.carrier.answer(id);
});
afterEach(() => hospital.close());

const OTHER_NUMBER = "+919810012346";
const NOTICES = [
  { kind: "caller", heardAt: 2.3 },
  { kind: "stop", heardAt: null },
] as const;
const RECORDING = { mode: "ask", consent: "given", from: 3.1, until: null } as const;
const SHOWN = {
  notices: [
    { kind: "caller", heard_at: 2.3 },
    { kind: "stop", heard_at: null },
  ],
  recording: RECORDING,
};

test("the call and call.failed have what was said and recorded", async () => {
  hospital.carrier.fail(id, "infrastructure_error", { notices: NOTICES, recording: RECORDING });
  await settle();
  expect(await hospital.view(id)).toMatchObject({ status: "failed", ...SHOWN, call_transcript: null });
  expect((await hospital.eventsOf(id)).at(-1)).toMatchObject({ type: "call.failed", parsed: SHOWN });
});

test("an agreement stored before stays with the report", async () => {
  await hospital.carrier.agree(id, { callbackInMinutes: 30 });
  hospital.carrier.fail(id, "interrupted", { notices: NOTICES, recording: RECORDING });
  await settle();
  expect(await hospital.view(id)).toMatchObject({ ...SHOWN, extracted_details: { answer: "call_later" } });
});

test("an opt-out or a consent that could not be stored before counts at the end", async () => {
  const consent = { purpose: "promotional", isGiven: true } as const;
  hospital.carrier.fail(id, "interrupted", { consent });
  const consents = () => hospital.app.services.consents.ofNumber(hospital.organisationId, CONTACT_NUMBER);
  await settle();
  expect(await consents()).toMatchObject([{ purpose: "promotional", status: "active" }]);
  const other = await hospital.dial({ user_number: OTHER_NUMBER });
  hospital.carrier.fail(other, "interrupted", { optOut: true });
  await settle();
  expect(await hospital.db.reader.selectFrom("do_not_disturb").select("number").execute()).toEqual([
    { number: OTHER_NUMBER },
  ]);
  expect(await hospital.view(other)).toMatchObject({
    extracted_details: { answer: "opted_out" },
    scheduled_call_id: null,
  });
});

test("without a report what was said is unknown", async () => {
  hospital.carrier.fail(id, "infrastructure_error");
  await settle();
  expect(await hospital.view(id)).toMatchObject({ status: "failed", notices: null, recording: null });
});
