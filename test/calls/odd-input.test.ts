// Unusual input that no client sends on purpose.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital();
  await hospital.app.start();
});
afterEach(() => hospital.close());

test("additional_info nested thousands of levels deep is rejected without a server error", async () => {
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const body = `{"agent_id":"${hospital.agentId}","user_number":"+919810012345","additional_info":{"a":${deep}}}`;
  const answer = await hospital.request("POST", "/v1/calls", { body });
  expect([answer.status, answer.json.error.code]).toEqual([400, "VALIDATION_ERROR"]);
});

test("a number too large to be stored is rejected, not stored as null", async () => {
  const body = `{"agent_id":"${hospital.agentId}","user_number":"+919810012345","additional_info":{"a":1e400}}`;
  expect((await hospital.request("POST", "/v1/calls", { body })).status).toBe(400);
});

test("keys of additional_info are counted in code points, not in UTF-16 units", async () => {
  expect((await hospital.post({ additional_info: { ["😀".repeat(64)]: 1 } })).status).toBe(201);
  expect((await hospital.post({ additional_info: { ["😀".repeat(65)]: 1 } })).status).toBe(400);
});

test("an invalid number of any length is a phone number error", async () => {
  const answer = await hospital.post({ user_number: `+91${"9".repeat(60)}` });
  expect([answer.status, answer.json.error.code]).toEqual([422, "INVALID_PHONE_NUMBER"]);
});

test("a repeated dry_run parameter creates nothing", async () => {
  const answer = await hospital.request("POST", "/v1/calls?dry_run=true&dry_run=false", {
    body: { agent_id: hospital.agentId, user_number: "+919810012345" },
  });
  expect([answer.status, answer.json.error.message]).toEqual([400, "dry_run was sent twice. Send it once."]);
  expect(await hospital.db.reader.selectFrom("calls").selectAll().execute()).toEqual([]);
});

test("a dry run of an immediate call reports that the number is in another call", async () => {
  await hospital.dial({ user_number: "+919810012345" });
  const answer = await hospital.request("POST", "/v1/calls?dry_run=true", {
    body: { agent_id: hospital.agentId, user_number: "+919810012345" },
  });
  expect(answer.json.data).toMatchObject({ held_back_by: [{ reason: "number_in_call" }] });
});

test("30 February is rejected in a filter too, and a compressed body is not read as plain text", async () => {
  expect((await hospital.request("GET", "/v1/calls?created_to=2026-02-30T00:00:00Z")).status).toBe(400);
  const answer = await hospital.post({}, { headers: { "content-encoding": "gzip" } });
  expect(answer.status).toBe(415);
});

test("an id of any length is unknown, not invalid", async () => {
  expect((await hospital.request("GET", `/v1/calls/${"x".repeat(2_000)}`)).status).toBe(404);
});

test("calls waiting for calling hours are dialled when the hours are switched off", async () => {
  await hospital.close();
  hospital = await createHospital({ isEnforced: true });
  await hospital.app.start();
  const closed = { start: "00:00", end: "00:01", days: [0] };
  const { agents } = hospital.app.services;
  await agents.update(hospital.organisationId, hospital.agentId, { calling_hours: closed }, CLI_ACTOR);
  const id = await hospital.schedule();
  await hospital.clock.advance(20_000);
  expect((await hospital.view(id)).hold_reason).toBe("outside_calling_hours");
  await agents.update(hospital.organisationId, hospital.agentId, { calling_hours: null }, CLI_ACTOR);
  await hospital.clock.advance(31_000);
  expect((await hospital.view(id)).status).not.toBe("queued");
});
