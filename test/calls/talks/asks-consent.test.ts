// Whether the agent of a call asks for consent: only where nothing is recorded, and only on outbound calls.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { MINUTE_MS, toIso } from "../../../src/core/clock.ts";
import { CONTACT_NUMBER, createHospital, type Hospital } from "../../support/hospital.ts";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital({ agent: { asks_consent_for: "promotional" } });
  await hospital.app.start();
});
afterEach(() => hospital.close());

async function asked() {
  const id = await hospital.dial();
  hospital.carrier.complete(id, {});
  return hospital.carrier.dialled.at(-1)!.brief.asksConsentFor;
}
const person = { contact_number: CONTACT_NUMBER, purpose: "promotional" as const };
const grant = (more: object = {}) =>
  hospital.app.services.consents.grant(hospital.organisationId, { ...person, basis: "written", ...more }, CLI_ACTOR);

test("a callee of whom nothing is recorded is asked, one with another consent too", async () => {
  expect(await asked()).toBe("promotional");
  await grant({ purpose: "service" });
  expect(await asked()).toBe("promotional");
});

test("a callee who has agreed is not asked, until the consent has ended", async () => {
  await grant({ until: toIso(hospital.clock.now() + 10 * MINUTE_MS) });
  expect(await asked()).toBeUndefined();
  await hospital.clock.advance(10 * MINUTE_MS);
  expect(await asked()).toBe("promotional");
});

test("a callee who has refused is not asked again", async () => {
  await hospital.app.services.consents.withdrawFor(hospital.organisationId, person, CLI_ACTOR);
  expect(await asked()).toBeUndefined();
});

test("a consent of the same number at another hospital counts for nothing", async () => {
  const { organisationId } = await hospital.neighbour();
  const { consents } = hospital.app.services;
  await consents.grant(organisationId, { ...person, basis: "written" }, CLI_ACTOR);
  expect(await asked()).toBe("promotional");
});
