// Every call that was dialled or refused gets one proof: after a crash, with two sealers, and when it is erased.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { createSecretBox } from "../../../src/core/secret-box.ts";
import { createProofKeys } from "../../../src/rules/proof/proof-keys.ts";
import { proofOf, unsealedProofs } from "../../../src/rules/proof/proof-store.ts";
import type { ProofRecord } from "../../../src/rules/proof/record.ts";
import { MOST_PER_BATCH } from "../../../src/rules/proof/batch.ts";
import { createSealing, noteForProof, type Sealing } from "../../../src/rules/proof/sealing.ts";
import { CONTACT_NUMBER, createHospital, type Hospital } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";
import { endedCall } from "../../support/proof-chain.ts";
import { checkedCalls, noteCalls } from "../../support/sealed-chain.ts";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital({ agent: { retry_attempts: 0 } });
});
afterEach(() => hospital.close());

async function recordOf(callId: string): Promise<ProofRecord | null> {
  await hospital.clock.advance(2_000);
  await settle();
  const line = await proofOf(hospital.db.reader, hospital.organisationId, callId);
  return line === null ? null : (JSON.parse(line) as { record: ProofRecord }).record;
}

test("a completed call has a proof of what was decided, said and recorded", async () => {
  const { app, carrier } = hospital;
  await app.start();
  const callId = await hospital.dial();
  carrier.talk(callId, {
    optOut: true,
    notices: [
      { kind: "caller", heardAt: 2.3 },
      { kind: "stop", heardAt: null },
    ],
    recording: { mode: "ask", consent: "refused", from: null, until: null },
  });
  const record = await recordOf(callId);
  expect(record).toMatchObject({
    agent: { id: hospital.agentId, version: 1 },
    basis: { consent: null, enforced: false, purpose: "service", zones: ["Asia/Kolkata"] },
    call: callId,
    chain: { previous: "0".repeat(64), sequence: 1 },
    direction: "outbound",
    format: "ringward-proof-1",
    notices: [
      { heard_ms: 2_300, kind: "caller" },
      { heard_ms: null, kind: "stop" },
    ],
    opted_out: true,
    organisation: { id: hospital.organisationId, sequence: 1 },
    recording: { consent: "refused", from_ms: null, mode: "ask", until_ms: null },
    result: { code: null, sip: null, state: "completed" },
  });
  const { created_at, triggered_at, answered_at, finished_at } = await hospital.row(callId);
  const { created, triggered, answered, ended } = record!.times;
  expect([created, triggered, answered, ended].map((time) => Date.parse(time!))).toEqual([
    created_at,
    triggered_at!,
    answered_at!,
    finished_at!,
  ]);
  expect(await checkedCalls(hospital)).toEqual([callId]);
});

test("nothing personal is in a proof: no number, no name, no word", async () => {
  const { app, carrier, db } = hospital;
  await app.start();
  const callId = await hospital.dial({ user_name: "Kamala", additional_info: { visit: "knee" } });
  carrier.talk(callId);
  await recordOf(callId);
  const texts = JSON.stringify(await db.reader.selectFrom("proofs").selectAll().execute());
  for (const word of [CONTACT_NUMBER, CONTACT_NUMBER.slice(1), "Kamala", "knee", "Good morning", "greeted"]) {
    expect(texts).not.toContain(word);
  }
});

test("failed and refused calls have a proof, cancelled ones have none", async () => {
  const { app, carrier } = hospital;
  await app.start();
  const busy = await hospital.dial();
  carrier.fail(busy, "busy");
  await settle();
  await app.services.doNotDisturb.add(hospital.organisationId, "+919810012399", CLI_ACTOR);
  const refused = await hospital.schedule({ user_number: "+919810012399" });
  const cancelled = await hospital.schedule({ user_number: "+919810012377" });
  await hospital.request("POST", `/v1/calls/${cancelled}/cancel`);
  await hospital.clock.advance(20_000);
  expect((await recordOf(busy))?.result).toEqual({ code: "busy", sip: null, state: "failed" });
  expect(await recordOf(refused)).toMatchObject({
    result: { code: "do_not_disturb", state: "disallowed" },
    times: { triggered: null, answered: null },
    notices: [],
    recording: null,
  });
  expect(await recordOf(cancelled)).toBeNull();
  expect((await checkedCalls(hospital)).toSorted()).toEqual([busy, refused].toSorted());
});

test("an opt-out before the call broke off is in its proof", async () => {
  const { app, carrier } = hospital;
  await app.start();
  const callId = await hospital.dial();
  carrier.answer(callId);
  await carrier.agree(callId, { optOut: true });
  carrier.fail(callId, "interrupted");
  expect(await recordOf(callId)).toMatchObject({ opted_out: true, result: { code: "interrupted" } });
});

const NOTICES = [{ kind: "caller", heardAt: 2.3 }] as const;
const RECORDING = { mode: "ask", consent: "given", from: 3.1, until: null } as const;

test("a call that broke off has in its proof what was said and recorded", async () => {
  const { app, carrier } = hospital;
  await app.start();
  const callId = await hospital.dial();
  carrier.answer(callId);
  carrier.fail(callId, "infrastructure_error", { notices: NOTICES, recording: RECORDING, optOut: true });
  expect(await recordOf(callId)).toMatchObject({
    notices: [{ heard_ms: 2_300, kind: "caller" }],
    opted_out: true,
    recording: { consent: "given", from_ms: 3_100, mode: "ask", until_ms: null },
    result: { code: "infrastructure_error" },
  });
  const listed = await hospital.db.reader.selectFrom("do_not_disturb").select("number").execute();
  expect(listed).toEqual([{ number: CONTACT_NUMBER }]);
});

test("what was said is unknown where the report was lost, and nothing where nobody answered", async () => {
  const { app, carrier } = hospital;
  await app.start();
  const lost = await hospital.dial();
  carrier.answer(lost);
  carrier.fail(lost, "infrastructure_error");
  expect(await recordOf(lost)).toMatchObject({ notices: null, recording: null });
  const unanswered = await hospital.dial({ user_number: "+919810012346" });
  carrier.fail(unanswered, "no_answer");
  expect(await recordOf(unanswered)).toMatchObject({ notices: [], recording: null });
  expect(await checkedCalls(hospital)).toEqual([lost, unanswered]);
});

test("erasing a call keeps its proof, sealed before or after", async () => {
  const { app, carrier, db } = hospital;
  await app.start();
  const sealed = await hospital.dial();
  carrier.talk(sealed);
  expect(await recordOf(sealed)).not.toBeNull();
  const other = await hospital.dial({ user_number: "+919810012346" });
  carrier.talk(other);
  await settle();
  await app.services.erasure.erase(hospital.organisationId, sealed, CLI_ACTOR, { any: true });
  await app.services.erasure.erase(hospital.organisationId, other, CLI_ACTOR, { any: true });
  expect((await recordOf(other))?.call).toBe(other);
  expect((await recordOf(sealed))?.call).toBe(sealed);
  expect(await db.reader.selectFrom("calls").select("id").execute()).toEqual([]);
  expect(await checkedCalls(hospital)).toEqual([sealed, other]);
});

function sealer(change: { failsAt?: number } = {}): Sealing {
  const { app, db, clock } = hospital;
  let writes = 0;
  const broken: typeof db = {
    ...db,
    reader: db.reader,
    write(command, options) {
      const isFailing = ++writes === change.failsAt;
      return db.write(async (tx) => {
        const result = await command(tx);
        if (isFailing) throw new Error("The disk is full.");
        return result;
      }, options);
    },
  };
  const { proofKeys } = app.services;
  return createSealing({
    db: change.failsAt === undefined ? db : broken,
    clock,
    logger: silentLogger,
    proofKeys,
    agentVersionsIn: () => async () => 1,
    wake: () => {},
  });
}

test("three batches are one chain, each call once", async () => {
  const calls = await noteCalls(hospital, 2 * MOST_PER_BATCH + 7);
  expect(await sealer().sealAll()).toBe(calls.length);
  expect(await checkedCalls(hospital)).toEqual(calls);
  expect(await unsealedProofs(hospital.db.reader, 10)).toEqual([]);
  expect(await sealer().sealAll()).toBe(0);
});

test("a batch that fails before its commit is sealed later, once", async () => {
  const calls = await noteCalls(hospital, 2 * MOST_PER_BATCH);
  await expect(sealer({ failsAt: 2 }).sealAll()).rejects.toThrow("The disk is full.");
  expect(await checkedCalls(hospital)).toEqual(calls.slice(0, MOST_PER_BATCH));
  expect(await sealer().sealAll()).toBe(MOST_PER_BATCH);
  expect(await checkedCalls(hospital)).toEqual(calls);
});

test("two servers that seal at the same time make one chain", async () => {
  const calls = await noteCalls(hospital, 3 * MOST_PER_BATCH);
  await Promise.allSettled([sealer().sealAll(), sealer().sealAll(), sealer().sealAll()]);
  await sealer().sealAll();
  expect(await checkedCalls(hospital)).toEqual(calls);
});

test("a failure that lasts is reported, and the calls wait", async () => {
  const { clock } = hospital;
  await noteCalls(hospital, 3);
  const sealing = sealer({ failsAt: 1 });
  await sealing.runDue();
  await settle();
  expect(sealing.note()).toBeNull();
  await clock.advance(61_000);
  expect(sealing.note()).toContain("The disk is full.");
  await sealing.runDue();
  await settle();
  expect(sealing.note()).toBeNull();
  expect(await checkedCalls(hospital)).toHaveLength(3);
});

test("with another root key a new key signs, and the old public key stays", async () => {
  const { db, clock, app } = hospital;
  await noteCalls(hospital, 1);
  await sealer().sealAll();
  const [first] = await app.services.proofKeys.list();
  await clock.advance(1_000);
  const secrets = createSecretBox(new Uint8Array(32).fill(9));
  const keys = createProofKeys({ db, clock, logger: silentLogger, ids: app.services.ids, secrets });
  const { key } = await keys.current();
  expect(key).not.toBe(first!.public_key);
  expect((await keys.list()).map(({ public_key, retired_at }) => [public_key, retired_at === null])).toEqual([
    [first!.public_key, false],
    [key, true],
  ]);
  // The same key from now on, also after a start.
  const again = createProofKeys({ db, clock, logger: silentLogger, ids: app.services.ids, secrets });
  expect((await again.current()).key).toBe(key);
  await db.write((tx) => noteForProof(tx, endedCall(7, hospital.organisationId)));
  await createSealing({
    db,
    clock,
    logger: silentLogger,
    proofKeys: again,
    agentVersionsIn: () => async () => null,
    wake: () => {},
  }).sealAll();
  expect(await checkedCalls(hospital)).toHaveLength(2);
  const stored = await db.reader.selectFrom("proof_keys").selectAll().orderBy("created_at").execute();
  expect(stored.map(({ sealed_seed }) => sealed_seed === null)).toEqual([true, false]);
});

test("the same number has the same hash within an organisation and another one elsewhere", async () => {
  const { app, carrier } = hospital;
  await app.start();
  const calls: string[] = [];
  for (let i = 0; i < 2; i++) {
    const callId = await hospital.dial();
    carrier.fail(callId);
    calls.push((await recordOf(callId))!.number_hmac);
  }
  expect(calls[0]).toBe(calls[1]);
  expect(calls[0]).toMatch(/^[0-9a-f]{64}$/);
  const { organisationId, agentId, key } = await hospital.neighbour();
  const answer = await hospital.post({ agent_id: agentId }, { key });
  await hospital.clock.advance(16_000);
  const callId = answer.json.data["call_id"]! as string;
  carrier.fail(callId);
  await recordOf(callId);
  const line = await proofOf(hospital.db.reader, organisationId, callId);
  expect(line).not.toContain(calls[0]!);
  expect(await proofOf(hospital.db.reader, hospital.organisationId, callId)).toBeNull();
});
