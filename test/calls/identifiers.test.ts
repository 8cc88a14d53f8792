// Identifiers of patients on calls: given under both names, by every way in, kept by follow-ups, in events and exports.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { CampaignResult } from "../../src/campaigns/model.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";

const MRN = { system: "mrn", value: "MRN-004711" };
const ABHA = { system: "abha_address", value: "meera@abdm" };
const NUMBER = "+919810012345";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital({ logged: true });
  await hospital.app.start();
});
afterEach(() => hospital.close());

const known = () => hospital.db.reader.selectFrom("contact_identifiers").selectAll().orderBy("value").execute();

describe("a call", () => {
  test.each(["user_identifiers", "contact_identifiers"])("takes %s, and shows them", async (field) => {
    const id = await hospital.schedule({ user_name: "Meera", user_number: NUMBER, [field]: [MRN, ABHA] });
    expect((await hospital.view(id)).contact_identifiers).toEqual([MRN, ABHA]);
    expect(await known()).toMatchObject([
      { ...MRN, value_key: "mrn004711", number: NUMBER, name: "Meera", subject_id: id },
      { ...ABHA, value_key: "meera@abdm", number: NUMBER, name: "Meera", subject_id: id },
    ]);
    expect(hospital.logLines.join("\n")).not.toContain("004711");
  });

  test("takes one of the two names", async () => {
    const answer = await hospital.post({ user_identifiers: [MRN], contact_identifiers: [MRN] });
    expect([answer.status, answer.json.error.details?.[0]?.field]).toEqual([400, "user_identifiers"]);
  });

  test.each([[null], [[]]])("with %j has none, and writes nothing more", async (user_identifiers) => {
    const id = await hospital.schedule({ user_identifiers });
    expect((await hospital.view(id)).contact_identifiers).toEqual([]);
    expect(await known()).toEqual([]);
  });

  test.each([
    [[{ system: "mrn", value: "\ud800" }], "user_identifiers"],
    [[{ system: "mrn", value: "a\nb" }], "user_identifiers"],
    [Array.from({ length: 11 }, (_, i) => ({ system: "mrn", value: `${i}` })), "user_identifiers"],
    [[MRN, { ...MRN, value: ` ${MRN.value} ` }], "user_identifiers.1"],
  ])("is refused with %j", async (user_identifiers, field) => {
    const { status, json } = await hospital.post({ user_identifiers });
    expect([status, json.error.code, json.error.details?.[0]?.field]).toEqual([400, "VALIDATION_ERROR", field]);
  });

  test("is renamed with its identifiers, and takes them along when it is deleted", async () => {
    const id = await hospital.schedule({ user_identifiers: [MRN], scheduled_time: "2026-11-20T06:00:00Z" });
    const { callEdit } = hospital.app.services;
    await callEdit(hospital.organisationId, id, { user_name: "M. Iyer" }, CLI_ACTOR);
    expect(await known()).toMatchObject([{ name: "M. Iyer" }]);
    const talked = await hospital.dial({ user_number: NUMBER, user_identifiers: [ABHA] });
    hospital.carrier.talk(talked);
    await settle();
    expect(await known()).toHaveLength(2);
    expect((await hospital.request("DELETE", `/v1/calls/${talked}`)).status).toBe(200);
    expect(await known()).toMatchObject([{ subject_id: id }]);
  });

  test("hands them to its events and to the call that repeats it", async () => {
    await hospital.subscribe();
    const id = await hospital.dial({ user_number: NUMBER, user_identifiers: [MRN] });
    hospital.carrier.talk(id);
    await settle();
    const events = await hospital.db.reader.selectFrom("events").select("data").where("call_id", "=", id).execute();
    expect(events.length).toBeGreaterThan(1);
    for (const { data } of events) expect(JSON.parse(data)).toMatchObject({ contact_identifiers: [MRN] });
    const { callAgain, manyCalls } = hospital.app.services;
    const again = await callAgain.one(hospital.organisationId, id, null, CLI_ACTOR);
    expect((await hospital.view(again.call_id)).contact_identifiers).toEqual([MRN]);
    const exported = await manyCalls.chosen(hospital.organisationId, [id], CLI_ACTOR);
    expect(exported[0]?.user_identifiers).toBe(JSON.stringify([MRN]));
  });
});

test("rows of a campaign have identifiers, each row by itself, in results and the calls", async () => {
  const rows = [
    { user_number: NUMBER, user_name: "Baby", user_identifiers: [MRN] },
    { user_number: NUMBER, user_name: "Baby", user_identifiers: [{ system: "mrn", value: "4712" }] },
    { user_number: NUMBER, user_identifiers: [{ system: "mrn" }] },
  ];
  const made = await hospital.request("POST", "/v1/campaigns", {
    body: { name: "Check-ups", agent_id: hospital.agentId, rows, calls_per_minute: 60 },
  });
  const created = made.json.data as unknown as { campaign_id: string };
  expect(created).toMatchObject({
    accepted: 2,
    refused: [{ row: 3, field: "user_identifiers" }],
  });
  const { json } = await hospital.request("GET", `/v1/campaigns/${created.campaign_id}/results`);
  const results = json.data as unknown as CampaignResult[];
  expect(results.map(({ contact_identifiers }) => contact_identifiers)).toEqual([
    [MRN],
    [{ system: "mrn", value: "4712" }],
  ]);
  await hospital.clock.advance(0);
  const calls = await hospital.db.reader.selectFrom("calls").select("user_identifiers").orderBy("id").execute();
  expect(calls[0]).toEqual({ user_identifiers: JSON.stringify([MRN]) });
});

test("the inbound hook takes them, as JSON text of a form too", async () => {
  const { token } = await hospital.app.services.hooks.regenerate(hospital.organisationId, CLI_ACTOR);
  const data = { agent_id: hospital.agentId, contact_number: NUMBER };
  const send = (contact_identifiers: unknown) =>
    hospital.request("POST", `/v1/hooks/${token}`, {
      key: null,
      body: { action: "call.create", data: { ...data, contact_identifiers } },
    });
  for (const given of [[MRN], JSON.stringify([MRN])]) {
    const answer = await send(given);
    expect((await hospital.view(answer.json.data["call_id"]!)).contact_identifiers).toEqual([MRN]);
  }
  expect((await send("MRN-004711")).status).toBe(400);
});
