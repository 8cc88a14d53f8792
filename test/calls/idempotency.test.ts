// Idempotency-Key on POST /v1/calls, over HTTP; test/http covers the mechanism.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { ALL_SCOPES } from "../../src/payloads/scopes.ts";
import { HOUR_MS } from "../../src/core/clock.ts";
import { onlySqlite } from "../support/engines.ts";
import { createHospital, type Hospital } from "../support/hospital.ts";
import { rejectionOf } from "../support/temp.ts";

let hospital: Hospital;
beforeEach(async () => {
  hospital = await createHospital();
});
afterEach(() => hospital.close());

const send = (key: string, changes: Record<string, unknown> = {}, asKey = hospital.key) =>
  hospital.post(changes, { headers: { "idempotency-key": key }, key: asKey });
const countCalls = async () => (await hospital.db.reader.selectFrom("calls").select("id").execute()).length;

describe("the same Idempotency-Key", () => {
  test("and body returns the first response, and one call exists", async () => {
    const first = await send("visit-1");
    await hospital.clock.advance(5_000);
    const second = await send("visit-1");
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(await countCalls()).toBe(1);
  });

  test("in quotes is the same key", async () => {
    const first = await send("visit-1");
    expect((await send('"visit-1"')).text).toBe(first.text);
  });

  test("with another body is 422", async () => {
    await send("visit-1");
    const { status, json } = await send("visit-1", { user_name: "Another" });
    expect([status, json.error.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    expect(await countCalls()).toBe(1);
  });

  test("in twenty concurrent requests creates one call; meanwhile the others get 409 with Retry-After", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send("visit-1")));
    const isReplayed = ({ headers }: (typeof answers)[number]) => headers.get("idempotent-replayed") === "true";
    const made = answers.filter((answer) => answer.status === 201 && !isReplayed(answer));
    expect(made).toHaveLength(1);
    for (const answer of answers.filter((each) => !made.includes(each))) {
      // Requests after its creation get the same response.
      if (isReplayed(answer)) expect(answer.text).toBe(made[0]!.text);
      else
        expect([answer.status, answer.json.error.code, answer.headers.get("retry-after")]).toEqual([
          409,
          "IDEMPOTENCY_IN_PROGRESS",
          "1",
        ]);
    }
    expect(await countCalls()).toBe(1);
  });

  test("is replayed for 24 hours, and then is new", async () => {
    const first = await send("visit-1");
    await hospital.clock.advance(24 * HOUR_MS - 1);
    expect((await send("visit-1")).text).toBe(first.text);
    await hospital.clock.advance(1);
    const later = await send("visit-1");
    expect(later.status).toBe(201);
    expect(later.text).not.toBe(first.text);
    expect(await countCalls()).toBe(2);
  });

  onlySqlite("a day of the clock is minutes on PostgreSQL")(
    "is forgotten by the hourly job once its time is over",
    async () => {
      await hospital.app.start();
      await send("visit-1");
      await hospital.clock.leap(26 * HOUR_MS, HOUR_MS);
      expect(await hospital.db.reader.selectFrom("idempotency_keys").selectAll().execute()).toEqual([]);
    },
  );

  test("of an erased call creates nothing, whatever the body, until the key has expired; another key does", async () => {
    const first = await send("visit-1");
    const id = String(first.json.data["call_id"]);
    await hospital.request("POST", `/v1/calls/${id}/cancel`);
    expect((await hospital.request("DELETE", `/v1/calls/${id}?any=true`)).status).toBe(200);
    const keys = await hospital.db.reader.selectFrom("idempotency_keys").selectAll().execute();
    expect(keys).toMatchObject([{ subject_id: id, request_hash: "", response: "" }]);
    for (const changes of [{}, { user_name: "Somebody else" }]) {
      const again = await send("visit-1", changes);
      expect([again.status, again.json.error.code]).toEqual([404, "NOT_FOUND"]);
      expect(again.json.error.message).toContain("has been erased");
    }
    expect(await countCalls()).toBe(0);
    expect((await send("visit-2")).status).toBe(201);
    await hospital.clock.advance(24 * HOUR_MS);
    expect((await send("visit-1")).status).toBe(201);
  });

  test("of another API key or organisation is independent", async () => {
    await send("visit-1");
    expect(
      (await send("visit-1", {}, await hospital.newKey(ALL_SCOPES))).headers.get("idempotent-replayed"),
    ).toBeNull();
    const { key, agentId } = await hospital.neighbour();
    expect((await send("visit-1", { agent_id: agentId }, key)).status).toBe(201);
    expect(await countCalls()).toBe(3);
  });

  test("after a rejection is free: only successes are stored", async () => {
    expect((await send("visit-1", { user_number: "12" })).status).toBe(422);
    expect((await send("visit-1")).status).toBe(201);
  });

  test("replays the original response, although the call has changed", async () => {
    const first = await send("visit-1");
    await hospital.request("POST", `/v1/calls/${String(first.json.data["call_id"])}/cancel`);
    expect((await send("visit-1")).text).toBe(first.text);
  });
});

test.each([["e".repeat(256)], ["caf\u00e9"], ['""']])("the key %j is refused", async (key) => {
  const { status, json } = await send(key);
  expect([status, json.error.details?.[0]?.field]).toEqual([400, "Idempotency-Key"]);
});

test("call and key commit together: when the key cannot be stored, there is no call either", async () => {
  const body = { agent_id: hospital.agentId, user_number: "+919810012345" };
  const creating = hospital.app.services.calls.create(hospital.organisationId, body, "api", CLI_ACTOR, async () => {
    throw new Error("The key could not be stored.");
  });
  expect((await rejectionOf(creating)).message).toContain("could not be stored");
  expect(await countCalls()).toBe(0);
});
