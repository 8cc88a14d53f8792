// Idempotency-Key on POST /v1/calls: a repeated request runs once and is answered twice.
import { beforeAll, describe, expect, test } from "bun:test";
import { ask, expectError, newCall } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import { commandJson, numberEnding, startQuick } from "../support/calls.ts";

leaveNothingBehind();

let server: Running;
beforeAll(async () => {
  server = await startQuick();
});

const create = (changes: Record<string, unknown>, headers: Record<string, string>) =>
  ask(server, "POST", "/v1/calls", { body: newCall(server, changes), headers });

describe("Idempotency-Key", () => {
  const key = () => ({ "idempotency-key": crypto.randomUUID() });

  test("the same key and body return the first response again, marked as replayed", async () => {
    const body = newCall(server);
    const headers = key();
    const first = await ask(server, "POST", "/v1/calls", { body, headers });
    const second = await ask(server, "POST", "/v1/calls", { body, headers });
    expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([201, null]);
    expect([second.status, second.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(second.data).toEqual(first.data);
    const quoted = { "idempotency-key": `"${headers["idempotency-key"]}"` };
    expect((await ask(server, "POST", "/v1/calls", { body, headers: quoted })).data).toEqual(first.data);
  });

  test("the same key with another body is 422", async () => {
    const headers = key();
    expect((await create({}, headers)).status).toBe(201);
    expectError(await create({ user_name: "Another" }, headers), 422, "IDEMPOTENCY_KEY_REUSED");
  });

  test("30 concurrent requests with the same key create exactly one call", async () => {
    const user_number = numberEnding("0100");
    const body = newCall(server, { user_number });
    const headers = key();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => ask(server, "POST", "/v1/calls", { body, headers })),
    );
    const made = answers.filter(({ status }) => status === 201);
    const first = made.filter((answer) => answer.headers.get("idempotent-replayed") === null);
    expect(first.length).toBe(1);
    expect(new Set(made.map(({ data }) => data["call_id"])).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectError(answer, 409, "IDEMPOTENCY_IN_PROGRESS");
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    const { text } = await ask(server, "GET", `/v1/calls?contact_number=${encodeURIComponent(user_number)}`);
    expect((JSON.parse(text) as { data: unknown[] }).data.length).toBe(1);
    expect((await ask(server, "POST", "/v1/calls", { body, headers })).headers.get("idempotent-replayed")).toBe("true");
  });

  test("a rejected request is not remembered: the corrected one can use the same key", async () => {
    const headers = key();
    expectError(await create({ user_number: "12345" }, headers), 422, "INVALID_PHONE_NUMBER");
    expect((await create({}, headers)).status).toBe(201);
  });

  test("two API keys of one organisation have separate idempotency keys; a key that is too long or not printable is 400", async () => {
    const { key: other } = await commandJson<{ key: string }>(
      server,
      "keys",
      "create",
      "--name",
      "other",
      "--scopes",
      "calls:create",
    );
    const body = newCall(server);
    const headers = key();
    const mine = await ask(server, "POST", "/v1/calls", { body, headers });
    const theirs = await ask(server, "POST", "/v1/calls", { body, headers, key: other });
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.data["call_id"]).not.toBe(mine.data["call_id"]);
    for (const value of ["x".repeat(256), "", '""', "caf\u00e9"]) {
      expectError(await create({}, { "idempotency-key": value }), 400, "VALIDATION_ERROR");
    }
    expect((await create({}, { "idempotency-key": "x".repeat(255) })).status).toBe(201);
  });
});
