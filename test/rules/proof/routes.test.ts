// Proofs over HTTP: of a call, of an erased one, of a period; and the walls between organisations.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { MINUTE_MS } from "../../../src/core/clock.ts";
import { ProofChecker, readHead } from "../../../src/rules/proof/verify.ts";
import { createHospital, outcome, type Hospital } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";

let hospital: Hospital;
let neighbour: Awaited<ReturnType<Hospital["neighbour"]>>;
/** One after the other: two of ours, one of the neighbour's, one of ours. */
const calls: string[] = [];

async function talk(changes: Record<string, unknown> = {}, key?: string): Promise<string> {
  const answer = await hospital.post(changes, key === undefined ? {} : { key });
  const callId = answer.json.data["call_id"]! as string;
  await hospital.clock.advance(16_000);
  hospital.carrier.talk(callId);
  await hospital.clock.advance(2_000);
  return callId;
}

beforeAll(async () => {
  hospital = await createHospital({ agent: { retry_attempts: 0 } });
  await hospital.app.start();
  neighbour = await hospital.neighbour();
  calls.push(await talk(), await talk());
  calls.push(await talk({ agent_id: neighbour.agentId }, neighbour.key));
  await hospital.clock.advance(10 * MINUTE_MS);
  calls.push(await talk());
});
afterAll(() => hospital.close());

const get = (path: string, key?: string) => hospital.request("GET", path, key === undefined ? {} : { key });

test("the proof of a call is answered as it was signed", async () => {
  const { status, text, headers } = await get(`/v1/calls/${calls[0]}/proof`);
  expect(status).toBe(200);
  expect(headers.get("content-disposition")).toBe(`attachment; filename="proof-${calls[0]}.json"`);
  const keys = (await get("/v1/proofs/key")).json.data["keys"]! as { public_key: string; retired_at: null }[];
  expect(keys).toMatchObject([{ retired_at: null }]);
  const checker = new ProofChecker({ keys: new Set(keys.map(({ public_key }) => public_key)) });
  expect(checker.add(text.trimEnd()).call).toBe(calls[0]!);
});

test("a period's proofs are one chain of the organisation, up to its head", async () => {
  const { text, headers } = await get("/v1/proofs");
  expect(headers.get("content-type")).toBe("application/x-ndjson");
  const head = readHead((await get("/v1/proofs/head")).text.trimEnd(), null);
  const checker = new ProofChecker({ keys: null, head });
  const found = text
    .trimEnd()
    .split("\n")
    .map((line) => checker.add(line).call);
  checker.end();
  expect(found).toEqual([calls[0]!, calls[1]!, calls[3]!]);
  expect(head).toMatchObject({ organisation: hospital.organisationId, sequence: 3 });
});

test("a period may be narrowed", async () => {
  const now = hospital.clock.now();
  const iso = (ms: number) => encodeURIComponent(new Date(ms).toISOString());
  const early = await get(`/v1/proofs?from=${iso(now - 60 * MINUTE_MS)}&to=${iso(now - 5 * MINUTE_MS)}`);
  expect(early.text.trimEnd().split("\n")).toHaveLength(2);
  const none = await get(`/v1/proofs?to=${iso(now - 60 * MINUTE_MS)}`);
  expect([none.status, none.text]).toEqual([200, ""]);
  const wrong = await get(`/v1/proofs?from=${iso(now)}&to=${iso(now - 1)}`);
  expect(outcome(wrong)).toBe("400 VALIDATION_ERROR");
  const long = await get(`/v1/proofs?from=2020-01-01T00:00:00Z`);
  expect(long.json.error.message).toContain("366 days");
});

test("another organisation sees its own proofs alone", async () => {
  const { key, organisationId } = neighbour;
  expect(outcome(await get(`/v1/calls/${calls[0]}/proof`, key))).toBe("404 NOT_FOUND");
  expect(outcome(await get(`/v1/calls/${calls[2]}/proof`, key))).toBe("200 ok");
  const { text } = await get("/v1/proofs", key);
  expect(text).toContain(calls[2]!);
  expect(text).not.toContain(hospital.organisationId);
  expect(readHead((await get("/v1/proofs/head", key)).text.trimEnd(), null)).toMatchObject({
    organisation: organisationId,
    sequence: 1,
  });
});

test("a key without the scope to read calls reads no proof", async () => {
  const key = await hospital.newKey(["calls:create"]);
  for (const path of [`/v1/calls/${calls[0]}/proof`, "/v1/proofs", "/v1/proofs/head"]) {
    expect(outcome(await get(path, key))).toBe("403 INSUFFICIENT_SCOPE");
  }
  expect(outcome(await get("/v1/proofs/key", key))).toBe("200 ok");
});

test("an erased call keeps its proof under its id, and its proof is the same", async () => {
  const path = `/v1/calls/${calls[1]}/proof`;
  const before = await get(path);
  await hospital.app.services.erasure.erase(hospital.organisationId, calls[1]!, CLI_ACTOR, { any: true });
  expect(outcome(await get(`/v1/calls/${calls[1]}`))).toBe("404 NOT_FOUND");
  expect((await get(path)).text).toBe(before.text);
});

test("a call without a proof says why", async () => {
  const waiting = await hospital.schedule();
  const answer = await get(`/v1/calls/${waiting}/proof`);
  expect(outcome(answer)).toBe("409 CONFLICT");
  expect(answer.json.error.message).toContain("has not ended");
  await hospital.request("POST", `/v1/calls/${waiting}/cancel`);
  const cancelled = await get(`/v1/calls/${waiting}/proof`);
  expect(outcome(cancelled)).toBe("404 NOT_FOUND");
  expect(cancelled.json.error.message).toContain("cancelled before it was dialled");
  expect(outcome(await get("/v1/calls/call_unknown/proof"))).toBe("404 NOT_FOUND");
});

test("a proof that is not sealed yet is named so", async () => {
  const callId = await hospital.dial();
  const { sealing } = hospital.app.services;
  const { runDue } = sealing;
  sealing.runDue = async () => null;
  hospital.carrier.talk(callId);
  await settle();
  const answer = await get(`/v1/calls/${callId}/proof`);
  expect(outcome(answer)).toBe("409 CONFLICT");
  expect(answer.json.error.message).toContain("being sealed");
  expect(answer.headers.get("retry-after")).toBe("5");
  sealing.runDue = runDue;
  await sealing.sealAll();
  expect(outcome(await get(`/v1/calls/${callId}/proof`))).toBe("200 ok");
});

test("the call's page tells a sealed proof, one that is being sealed, and none", async () => {
  const { proofs } = hospital.app.services;
  const view = (callId: string) => proofs.view(hospital.organisationId, callId);
  expect(await view(calls[0]!)).toMatchObject({ state: "sealed", record: { call: calls[0]! } });
  expect(await view(await hospital.schedule({ user_number: "+919810012300" }))).toEqual({ state: "none" });
  await expect(view(calls[2]!)).rejects.toThrow("No call has this id.");
});

test("a call from before proofs were made says so", async () => {
  const { db } = hospital;
  const callId = await talk();
  await db.write((tx) => tx.deleteFrom("proofs").where("call_id", "=", callId).execute());
  const answer = await get(`/v1/calls/${callId}/proof`);
  expect(outcome(answer)).toBe("404 NOT_FOUND");
  expect(answer.json.error.message).toContain("before this appliance made proofs");
});
