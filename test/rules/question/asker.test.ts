// The asker: valid answers, one question per call at a time, and the order of releases.
import { afterEach, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { Asker, type AskedCall } from "../../../src/rules/question/asker.ts";
import { answered, createFakePost } from "../../support/fake-post.ts";
import { createHospital, type Hospital } from "../../support/hospital.ts";

let hospital: Hospital;
afterEach(() => hospital.close());

async function openAsker() {
  const his = createFakePost(() => hospital.clock.now());
  his.answer = () => answered(200, '{"answer":"go"}');
  hospital = await createHospital({ safePost: his });
  const { db, clock, organisationId, app } = hospital;
  const { ids, secrets, question } = app.services;
  await question.set(organisationId, { url: "https://his.example/", fails: "closed" }, CLI_ACTOR);
  const released: string[] = [];
  const asker = new Asker({
    clock,
    ids,
    secrets,
    safePost: his,
    logger: silentLogger,
    reader: db.reader,
    answered: async (calls) => void released.push(...calls.map(({ data }) => data.call_id)),
  });
  const about = (id: string): AskedCall => ({
    organisationId,
    phoneNumberId: "num_1",
    dueAt: 1,
    data: {
      call_id: id,
      agent_id: "agt_1",
      purpose: "service",
      user_number: "+919810012345",
      scheduled_at: "2026-11-18T06:00:00.000Z",
      attempt: 1,
    },
  });
  return { asker, his, about, released, clock };
}

test("an answer is valid for less than 30 seconds, and once", async () => {
  const { asker, about, clock } = await openAsker();
  asker.ask([about("call_1"), about("call_2")]);
  await asker.stop();
  const now = clock.now();
  expect(asker.answerTo("call_1", now)).toEqual({ kind: "go", at: now });
  expect(asker.answerTo("call_1", now + 29_999)?.kind).toBe("go");
  expect(asker.answerTo("call_1", now + 30_000)).toBeNull();
  expect(asker.answerTo("call_1", now - 1)).toBeNull();
  asker.used("call_1");
  expect([asker.answerTo("call_1", now), asker.answerTo("call_2", now)?.kind]).toEqual([null, "go"]);
});

test("a call is asked about once at a time, and at most 20 of an organisation", async () => {
  const { asker, about, his, released } = await openAsker();
  asker.ask([about("call_1"), about("call_1"), ...Array.from({ length: 30 }, (_, i) => about(`call_${i + 2}`))]);
  expect([asker.underWay().length, asker.places(hospital.organisationId)]).toEqual([20, 0]);
  await asker.stop();
  expect([his.sent.length, released.length]).toEqual([20, 20]);
  expect([asker.underWay().length, asker.places(hospital.organisationId)]).toEqual([0, 20]);
});

test.each([
  ["closed", "unanswered"],
  ["open", "failed_open"],
] as const)("a secret that the key does not open counts as no answer: %s", async (fails, kind) => {
  const { asker, about, his, released } = await openAsker();
  const { organisationId, clock, app } = hospital;
  await app.services.question.set(organisationId, { url: "https://his.example/", fails }, CLI_ACTOR);
  await hospital.db.write((tx) => tx.updateTable("call_questions").set({ sealed_secret: "v1:broken" }).execute());
  asker.ask([about("call_1")]);
  await asker.stop();
  expect([his.sent.length, released]).toEqual([0, ["call_1"]]);
  expect(asker.answerTo("call_1", clock.now())).toEqual({ kind, at: clock.now() });
});
