// {{hospital}}, {{branch}} and {{callback_number}} come from the settings; a value sent with the call wins.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { DryRun } from "../../src/calls/model.ts";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";

const GREETING = "This is {{hospital}}, {{branch}}. Call back on {{callback_number}}.";

let hospital: Hospital;
beforeAll(async () => {
  hospital = await createHospital({ agent: { greeting: GREETING, prompt: "Ask." } });
  await hospital.app.start();
});
afterAll(() => hospital.close());

async function dryRun(additional_info: Record<string, unknown> = {}): Promise<DryRun> {
  const { agentId: agent_id } = hospital;
  const body = { agent_id, user_number: "+919810012345", additional_info };
  return (await hospital.request("POST", "/v1/calls?dry_run=true", { body })).json.data as unknown as DryRun;
}

test("missing settings are reported and leave no gap", async () => {
  expect(await dryRun()).toMatchObject({
    greeting: "This is Test Hospital. Call back on.",
    missing_placeholders: ["branch", "callback_number"],
  });
});

test("settings are rendered, on calls too", async () => {
  const { organisations, directory, agents, ids } = hospital.app.services;
  const { organisationId, agentId } = hospital;
  const branchId = ids.uuid();
  await directory.setBranch(organisationId, branchId, { name: "City branch" }, CLI_ACTOR);
  await agents.update(organisationId, agentId, { branch_id: branchId }, CLI_ACTOR);
  await organisations.change(organisationId, { name: "St. Mary", callbackNumber: "+91 22 1234-5678" }, CLI_ACTOR);
  const greeting = "This is St. Mary, City branch. Call back on +912212345678.";
  expect(await dryRun()).toMatchObject({ greeting, missing_placeholders: [] });
  const callId = await hospital.dial();
  expect(hospital.carrier.dialled.find((order) => order.callId === callId)?.brief).toMatchObject({ greeting });

  const other = ids.uuid();
  await directory.setBranch(organisationId, other, { name: "Lake branch" }, CLI_ACTOR);
  const elsewhere = await hospital.dial({ user_number: "+919810012399", additional_info: { branch_id: other } });
  const brief = hospital.carrier.dialled.find((order) => order.callId === elsewhere)?.brief;
  expect(brief?.greeting).toContain("St. Mary, Lake branch.");
});

test("a value sent with the call wins; an empty one was not sent", async () => {
  expect((await dryRun({ hospital: "the eye clinic", branch: null })).greeting).toStartWith(
    "This is the eye clinic, City branch.",
  );
  expect((await dryRun({ hospital: "" })).greeting).toStartWith("This is St. Mary,");
});

test("an invalid callback number is rejected, and organisations are separate", async () => {
  const { organisations } = hospital.app.services;
  await expect(
    organisations.change(hospital.organisationId, { callbackNumber: "reception" }, CLI_ACTOR),
  ).rejects.toThrow("callback_number must be in E.164 format");
  await expect(organisations.change("org_nobody", { name: "X" }, CLI_ACTOR)).rejects.toThrow("no organisation");
  const neighbour = await hospital.neighbour();
  const body = { agent_id: neighbour.agentId, user_number: "+919810012345" };
  const { json } = await hospital.request("POST", "/v1/calls?dry_run=true", { body, key: neighbour.key });
  expect((json.data as unknown as DryRun).greeting).toStartWith("This is Other Clinic.");
});

test("a new agent calls from nine to eight, an explicit null at any hour, and a change leaves the hours alone", async () => {
  const { agents } = hospital.app.services;
  const { organisationId } = hospital;
  const made = await agents.create(organisationId, { name: "New" }, CLI_ACTOR);
  expect(made.calling_hours).toEqual({ start: "09:00", end: "20:00", days: [0, 1, 2, 3, 4, 5, 6] });
  expect(
    (await agents.create(organisationId, { name: "Any", calling_hours: null }, CLI_ACTOR)).calling_hours,
  ).toBeNull();
  const old = await agents.update(organisationId, hospital.agentId, { name: "Asha" }, CLI_ACTOR);
  expect(old.calling_hours).toBeNull();
});
