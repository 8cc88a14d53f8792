// Agreements during a call are durable before it ends: neither a crash nor its end loses or duplicates them.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { MINUTE_MS } from "../../../src/core/clock.ts";
import { consentFor } from "../../../src/rules/consent/consent-store.ts";
import type { Agreed } from "../../../src/voice/port.ts";
import { TALK } from "../../support/fake-carrier.ts";
import { CONTACT_NUMBER, createHospital, type Hospital } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";

let hospital: Hospital;
let id: string;
beforeEach(async () => {
  hospital = await createHospital({ agent: { retry_attempts: 2, retry_minutes: 5, retry_outcomes: ["interrupted"] } });
  await hospital.app.start();
  await hospital.subscribe();
  id = await hospital.dial();
  hospital.carrier.ring(id);
  hospital.carrier.answer(id);
});
afterEach(() => hospital.close());

const listed = () => hospital.db.reader.selectFrom("do_not_disturb").select("number").execute();
const audited = async () => (await hospital.actionsOnRecord()).filter((action) => action === "do_not_disturb.added");
const consents = async () =>
  (await hospital.app.services.consents.ofNumber(hospital.organisationId, CONTACT_NUMBER)).toSorted((a, b) =>
    a.purpose < b.purpose ? -1 : 1,
  );
const followers = () => hospital.db.reader.selectFrom("calls").selectAll().where("follows_call_id", "=", id).execute();

/** The carrier's report when it, or the appliance, aborts the call. */
const breaksOff = () => hospital.carrier.fail(id, "interrupted");

const agree = async (agreed: Agreed) => {
  await hospital.carrier.agree(id, agreed);
  await settle();
};

test("an opt-out is on the list while the call continues, and the call shows it only at its end", async () => {
  await agree({ optOut: true });
  expect(await listed()).toEqual([{ number: CONTACT_NUMBER }]);
  expect(await hospital.view(id)).toMatchObject({ status: "in_progress", extracted_details: null });
});

test("an opt-out reported repeatedly is one entry on the list and one in the audit trail", async () => {
  await agree({ optOut: true });
  await agree({ optOut: true });
  hospital.carrier.complete(id, { optOut: true });
  await settle();
  expect(await listed()).toHaveLength(1);
  expect(await audited()).toHaveLength(1);
  expect(await hospital.view(id)).toMatchObject({ status: "completed", extracted_details: TALK.extractedDetails });
});

test("an opt-out is listed with its source and call, and withdraws every consent", async () => {
  await hospital.app.services.consents.grant(
    hospital.organisationId,
    { contact_number: CONTACT_NUMBER, purpose: "service", basis: "written" },
    CLI_ACTOR,
  );
  await agree({ consent: { purpose: "promotional", isGiven: true } });
  await agree({ consent: { purpose: "promotional", isGiven: true }, optOut: true });
  hospital.carrier.complete(id, { consent: { purpose: "promotional", isGiven: true }, optOut: true });
  await settle();
  const { reader } = hospital.db;
  expect(await reader.selectFrom("do_not_disturb").select(["source", "call_id"]).execute()).toEqual([
    { source: "call", call_id: id },
  ]);
  expect((await consents()).map(({ purpose, status }) => [purpose, status])).toEqual([
    ["promotional", "withdrawn"],
    ["service", "withdrawn"],
  ]);
  expect((await consents())[0]?.history.map(({ change, call_id }) => [change, call_id])).toEqual([
    ["withdrawn", id],
    ["granted", id],
  ]);
});

test("a consent given in a call is in force while the call continues, and recorded once", async () => {
  const consent = { purpose: "promotional", isGiven: true } as const;
  await agree({ consent });
  const { reader } = hospital.db;
  const { organisationId, clock } = hospital;
  expect(await consentFor(reader, organisationId, CONTACT_NUMBER, "promotional", clock.now())).not.toBeNull();
  await agree({ consent });
  hospital.carrier.complete(id, { consent });
  await settle();
  const [only, ...others] = await consents();
  expect(only).toMatchObject({ status: "active", basis: "verbal", source: "call", call_id: id });
  expect(only?.history).toHaveLength(1);
  expect(others).toEqual([]);
  expect(await listed()).toEqual([]);
});

test("the last answer of a call counts; a refusal is no opt-out", async () => {
  await agree({ consent: { purpose: "service", isGiven: true } });
  await agree({ consent: { purpose: "service", isGiven: false } });
  hospital.carrier.complete(id, { consent: { purpose: "service", isGiven: false } });
  await settle();
  const [only] = await consents();
  expect(only).toMatchObject({ status: "withdrawn" });
  expect(only?.history.map(({ change }) => change)).toEqual(["withdrawn", "granted"]);
  expect(await listed()).toEqual([]);
});

test("a consent withdrawn by staff during the call stays withdrawn at its end", async () => {
  const consent = { purpose: "promotional", isGiven: true } as const;
  await agree({ consent });
  const [given] = await consents();
  await hospital.app.services.consents.withdraw(hospital.organisationId, given!.consent_id, CLI_ACTOR);
  hospital.carrier.complete(id, { consent });
  await settle();
  expect(await consents()).toMatchObject([{ status: "withdrawn" }]);
});

test("a call aborted after an opt-out shows it, and is not retried", async () => {
  await agree({ optOut: true });
  breaksOff();
  await settle();
  expect(await hospital.view(id)).toMatchObject({
    status: "failed",
    extracted_details: { answer: "opted_out" },
    call_transcript: null,
    scheduled_call_id: null,
  });
  expect(await followers()).toEqual([]);
  const event = (await hospital.eventsOf(id)).at(-1)?.parsed;
  expect(event).toMatchObject({ status: "failed", extracted_details: { answer: "opted_out" } });
});

test("a callback is scheduled while this call continues, and its id is in the event at the end", async () => {
  await agree({ callbackInMinutes: 45 });
  const { scheduled_call_id } = await hospital.view(id);
  expect(await followers()).toMatchObject([
    {
      id: scheduled_call_id,
      source: "callback",
      state: "scheduled",
      scheduled_at: hospital.clock.now() + 45 * MINUTE_MS,
    },
  ]);
  hospital.carrier.complete(id, {
    callbackInMinutes: 45,
    analytics: { ...TALK.analytics!, disposition: "callback_scheduled" },
  });
  await settle();
  expect(await followers()).toHaveLength(1);
  expect((await hospital.eventsOf(id)).at(-1)?.parsed).toMatchObject({ status: "completed", scheduled_call_id });
});

test("another time moves the callback instead of creating a second one", async () => {
  await agree({ callbackInMinutes: 45 });
  const at = hospital.clock.now() + 90 * MINUTE_MS;
  await agree({ callbackAt: at });
  expect(await followers()).toMatchObject([{ scheduled_at: at, next_at: at }]);
});

test("a call aborted after a callback was agreed is followed by that callback only", async () => {
  await agree({ callbackInMinutes: 45 });
  breaksOff();
  await settle();
  const view = await hospital.view(id);
  expect(view).toMatchObject({ status: "failed", extracted_details: { answer: "call_later" } });
  expect(await followers()).toMatchObject([{ id: view.scheduled_call_id, source: "callback" }]);
  expect((await hospital.eventsOf(id)).at(-1)?.parsed).toMatchObject({
    status: "failed",
    scheduled_call_id: view.scheduled_call_id,
  });
});

test("reports after the end change nothing", async () => {
  hospital.carrier.complete(id);
  await settle();
  await agree({ optOut: true, callbackInMinutes: 45 });
  expect(await listed()).toEqual([]);
  expect(await followers()).toEqual([]);
});
