// The inbound webhook: the actions available to a no-code tool with only the secret address.
import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { ask, expectError, type ApiAnswer } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import {
  callIn,
  command,
  commandJson,
  finished,
  numberEnding,
  readCall,
  startQuick,
  talkative,
} from "../support/calls.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

let server: Running;
beforeAll(async () => {
  server = await startQuick({ RINGWARD_PLANS__BASE__INBOUND_DAILY_QUOTA: "unlimited" });
});

const started: Running[] = [];
afterEach(() => Promise.all(started.splice(0).map((other) => other.kill())));

async function start(env: Record<string, string> = {}): Promise<Running> {
  const other = await startQuick(env);
  started.push(other);
  return other;
}

const pathOf = (hookUrl: string) => new URL(hookUrl).pathname;

function send(to: Running, body: unknown, headers: Record<string, string> = {}): Promise<ApiAnswer> {
  return ask(to, "POST", pathOf(to.demo["hook_url"]!), { key: null, body, headers });
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** A call.create for a time that is not due during the test. */
const creation = (to: Running, changes: Record<string, unknown> = {}) => ({
  action: "call.create",
  data: { agent_id: to.demo["agent_id"], contact_number: talkative(), scheduled_time: inAnHour(), ...changes },
});

async function createdBy(to: Running, changes: Record<string, unknown> = {}): Promise<string> {
  const answer = await send(to, creation(to, changes));
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return String(answer.data["call_id"]);
}

const cancel = (call_id: string) => ({ action: "call.cancel", data: { call_id } });
const erase = (call_id: string) => ({ action: "call.delete", data: { call_id } });

interface HookStatus {
  signature_required: boolean;
  quota_used: number;
}
const hookStatus = async (of: Running) => JSON.parse(await command(of, "hook", "status")) as HookStatus;

describe("call.create", () => {
  test("answers 201 with the call's id, its time and the status scheduled", async () => {
    const at = inAnHour();
    const number = talkative();
    const answer = await send(
      server,
      creation(server, {
        contact_number: number,
        contact_name: "Test Patient",
        contact_email: "patient@example.invalid",
        contact_preferred_language: "hi",
        scheduled_time: at,
        additional_info: { visit: "check-up" },
      }),
    );
    expect(answer.status).toBe(201);
    expect(answer.data).toEqual({ call_id: expect.stringMatching(/^call_/), status: "scheduled", scheduled_at: at });
    expect(await readCall(server, String(answer.data["call_id"]))).toMatchObject({
      contact_number: number,
      contact_name: "Test Patient",
      contact_email: "patient@example.invalid",
      contact_preferred_language: "hi",
      additional_info: { visit: "check-up" },
    });
  });

  test("without a time the call is dialled immediately", async () => {
    const id = await createdBy(server, { scheduled_time: undefined });
    expect((await finished(server, id)).status).toBe("completed");
  });

  test("user_* are accepted too, but not both names of one field", async () => {
    const number = talkative();
    const id = await createdBy(server, { contact_number: undefined, user_number: number, user_name: "Test Patient" });
    expect(await readCall(server, id)).toMatchObject({ contact_number: number, contact_name: "Test Patient" });
    expectError(await send(server, creation(server, { user_number: number })), 400, "VALIDATION_ERROR");
  });

  const faults: [name: string, changes: Record<string, unknown>, code: string, field: string][] = [
    ["no agent_id", { agent_id: undefined }, "VALIDATION_ERROR", "agent_id"],
    ["an unknown agent", { agent_id: "agt_unknown" }, "VALIDATION_ERROR", "agent_id"],
    ["no number", { contact_number: undefined }, "VALIDATION_ERROR", "contact_number"],
    [
      "a malformed number: 400 here, 422 on the API",
      { contact_number: "98765" },
      "INVALID_PHONE_NUMBER",
      "contact_number",
    ],
    [
      "another country: 400 here, 422 on the API",
      { contact_number: "+442079460123" },
      "UNSUPPORTED_COUNTRY",
      "contact_number",
    ],
    ["a time without an offset", { scheduled_time: "2030-01-01T09:00:00" }, "VALIDATION_ERROR", "scheduled_time"],
    [
      "26 pairs",
      { additional_info: Object.fromEntries(Array.from({ length: 26 }, (_, i) => [`k${i}`, i])) },
      "VALIDATION_ERROR",
      "additional_info",
    ],
  ];
  test.each(faults)("400: %s", async (_name, changes, code, field) => {
    const answer = await send(server, creation(server, changes));
    expectError(answer, 400, code);
    expect(answer.error.details?.some((detail) => detail.field.endsWith(field))).toBe(true);
  });

  test("402 without credits, and no call is created; the API creates it and it ends disallowed", async () => {
    const poor = await start();
    await command(poor, "credits", "grant", "--", "-1000");
    expectError(await send(poor, creation(poor)), 402, "INSUFFICIENT_CREDITS");
    const { text } = await ask(poor, "GET", "/v1/calls");
    expect((JSON.parse(text) as { data: unknown[] }).data).toEqual([]);
    const body = { agent_id: poor.demo["agent_id"], user_number: talkative() };
    const made = await ask(poor, "POST", "/v1/calls", { body });
    expect(made.status).toBe(201);
    expect((await finished(poor, String(made.data["call_id"]))).status).toBe("disallowed");
  });
});

describe("call.cancel", () => {
  test("cancels a scheduled call with the API's response, and repeats are safe", async () => {
    const id = await createdBy(server);
    const first = await send(server, cancel(id));
    expect(first.status).toBe(200);
    expect(first.data).toEqual({ call_id: id, status: "cancelled", cancelled_at: expect.any(String) });
    const again = await send(server, cancel(id));
    expect([again.status, again.data]).toEqual([200, first.data]);
    expect((await readCall(server, id)).status).toBe("cancelled");
  });

  test("404 for an unknown call, 409 for one that is over", async () => {
    expectError(await send(server, cancel("call_unknown")), 404, "NOT_FOUND");
    const id = await createdBy(server, { scheduled_time: undefined, contact_number: numberEnding("0001") });
    await finished(server, id);
    expectError(await send(server, cancel(id)), 409, "CALL_NOT_CANCELLABLE");
  });

  test("409 for a call in progress", async () => {
    const slow = await start({ RINGWARD_TELEPHONY__SIMULATOR__SPEED: "1" });
    const id = await createdBy(slow, { scheduled_time: undefined, contact_number: numberEnding("0002") });
    await callIn(slow, id, ["initiated", "ringing"]);
    expectError(await send(slow, cancel(id)), 409, "CALL_NOT_CANCELLABLE");
  });
});

describe("call.delete", () => {
  test("deletes a completed call with the API's response; then it is unknown", async () => {
    const id = await createdBy(server, { scheduled_time: undefined, contact_number: numberEnding("0009") });
    expect((await finished(server, id)).status).toBe("completed");
    const answer = await send(server, erase(id));
    expect([answer.status, answer.data]).toEqual([200, { call_id: id, deleted: true }]);
    expectError(await send(server, erase(id)), 404, "NOT_FOUND");
    expectError(await ask(server, "GET", `/v1/calls/${id}`), 404, "NOT_FOUND");
  });

  test("404 for a call that is unknown, scheduled or never connected", async () => {
    const scheduled = await createdBy(server);
    const failed = await createdBy(server, { scheduled_time: undefined, contact_number: numberEnding("0001") });
    await finished(server, failed);
    for (const id of ["call_unknown", scheduled, failed]) expectError(await send(server, erase(id)), 404, "NOT_FOUND");
  });
});

describe("the body", () => {
  test("an action that is missing or unknown is 400 and lists the four", async () => {
    for (const body of [{}, { data: {} }, { action: "call.answer", data: {} }, { action: 7 }]) {
      const answer = await send(server, body);
      expectError(answer, 400, "VALIDATION_ERROR");
      for (const action of ["call.create", "call.cancel", "call.delete"])
        expect(answer.error.message).toContain(action);
    }
  });

  test("data that is missing, not JSON or not an object is 400; another content type is 415", async () => {
    for (const body of [{ action: "call.cancel" }, { action: "call.delete", data: [] }, "{", "[]", "null"]) {
      expectError(await send(server, body), 400, "VALIDATION_ERROR");
    }
    expectError(
      await send(server, "action=call.create", { "content-type": "text/plain" }),
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    );
  });
});

describe("the token", () => {
  test("an unknown one is 401, and an API key does not help", async () => {
    const body = creation(server);
    for (const token of ["nonsense", `${pathOf(server.demo["hook_url"]!).split("/").at(-1)!}x`]) {
      expectError(await ask(server, "POST", `/v1/hooks/${token}`, { body }), 401, "UNAUTHORIZED");
    }
  });

  test("regenerating invalidates the old one immediately", async () => {
    const other = await start();
    expect((await send(other, creation(other))).status).toBe(201);
    const { url } = await commandJson<{ url: string }>(other, "hook", "regenerate");
    expectError(await send(other, creation(other)), 401, "UNAUTHORIZED");
    expect((await ask(other, "POST", pathOf(url), { key: null, body: creation(other) })).status).toBe(201);
  });

  test("is never logged", async () => {
    const path = pathOf(server.demo["hook_url"]!);
    await until(() => server.output().includes("/v1/hooks/***"));
    // Standard error contains the demo's banner, which is not part of the log.
    const log = server
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{"));
    expect(log.filter((line) => line.includes(path.split("/").at(-1)!))).toEqual([]);
  });
});

describe("Idempotency-Key", () => {
  test("the same request twice creates one call; another body under the key is 422", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const body = creation(server);
    const first = await send(server, body, headers);
    const second = await send(server, body, headers);
    expect([first.status, second.status, second.headers.get("idempotent-replayed")]).toEqual([201, 201, "true"]);
    expect(second.data).toEqual(first.data);
    expectError(await send(server, creation(server), headers), 422, "IDEMPOTENCY_KEY_REUSED");
  });

  test("a deletion repeated under one key is answered twice", async () => {
    const id = await createdBy(server, { scheduled_time: undefined, contact_number: numberEnding("0009") });
    await finished(server, id);
    const headers = { "idempotency-key": crypto.randomUUID() };
    const first = await send(server, erase(id), headers);
    const second = await send(server, erase(id), headers);
    expect([first.status, second.status, second.headers.get("idempotent-replayed")]).toEqual([200, 200, "true"]);
    expect(second.data).toEqual(first.data);
  });
});

describe("the daily quota", () => {
  test("above it every request is 429 with Retry-After until midnight of the organisation; a 401 is not counted", async () => {
    const other = await start({ RINGWARD_PLANS__BASE__INBOUND_DAILY_QUOTA: "2" });
    expectError(await ask(other, "POST", "/v1/hooks/nonsense", { key: null, body: {} }), 401, "UNAUTHORIZED");
    expect((await send(other, creation(other))).status).toBe(201);
    expect((await hookStatus(other)).quota_used).toBe(1);
    // A rejected body counts as a request.
    expectError(await send(other, { action: "call.dance" }), 400, "VALIDATION_ERROR");
    const refused = await send(other, creation(other));
    expectError(refused, 429, "QUOTA_EXCEEDED");
    const indianSecondsToday = (Date.now() / 1_000 + 5.5 * 3_600) % 86_400;
    expect(Math.abs(Number(refused.headers.get("retry-after")) - (86_400 - indianSecondsToday))).toBeLessThan(60);
    expect((await ask(other, "GET", "/v1/calls")).status).toBe(200);
    // A new token does not reset the quota.
    const { url } = await commandJson<{ url: string }>(other, "hook", "regenerate");
    const again = await ask(other, "POST", pathOf(url), { key: null, body: creation(other) });
    expectError(again, 429, "QUOTA_EXCEEDED");
  });

  test("holds under concurrent requests", async () => {
    const other = await start({ RINGWARD_PLANS__BASE__INBOUND_DAILY_QUOTA: "5" });
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(other, creation(other))));
    expect(answers.filter(({ status }) => status === 201).length).toBe(5);
    expect(answers.filter(({ status }) => status === 429).length).toBe(15);
  });
});

describe("requests of no-code tools", () => {
  const form = (fields: Record<string, string>) =>
    fetch(`${server.demo["hook_url"]!}/`, { method: "POST", body: new URLSearchParams(fields) });

  test("a form sent to an address with a trailing slash, with a number in local notation", async () => {
    const answer = await form({
      action: "call.create",
      agent_id: server.demo["agent_id"]!,
      contact_number: talkative().replace(/^(\+1)(...)/, "$1 $2 "),
      contact_email: "",
      scheduled_time: inAnHour(),
      "additional_info[doctor]": "Dr. Iyer",
    });
    expect(answer.status).toBe(201);
    const { data } = (await answer.json()) as { data: { call_id: string } };
    expect(await readCall(server, data.call_id)).toMatchObject({ additional_info: { doctor: "Dr. Iyer" } });
    expect((await form({ action: "ping" })).status).toBe(200);
  });

  test("GET and HEAD as a connection test", async () => {
    const url = server.demo["hook_url"]!;
    expect((await fetch(url)).status).toBe(200);
    const head = await fetch(`${url}/`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await fetch(`${url}x`, { method: "HEAD" })).status).toBe(401);
  });
});
