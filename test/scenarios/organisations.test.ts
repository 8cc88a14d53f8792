// Isolation of two hospitals on one appliance: an id of the other is answered exactly like an unknown one.
import { beforeAll, describe, expect, test } from "bun:test";
import { ask, expectError, type ApiAnswer } from "../support/api-client.ts";
import { leaveNothingBehind, type Running } from "../support/binary.ts";
import {
  command,
  commandJson,
  finished,
  newAgent,
  organisationId,
  place,
  readCall,
  startQuick,
  talkative,
} from "../support/calls.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();

const UNKNOWN = "call_01k9zv3q5m2n8r4t6w7x9y0abc";

interface Hospital {
  org: string;
  key: string;
  agentId: string;
  hookUrl: string;
}

let server: Running;
let theirs: Hospital;
beforeAll(async () => {
  server = await startQuick();
  theirs = await newHospital("St. Elsewhere");
});

async function newHospital(name: string): Promise<Hospital> {
  const { organisation_id: org } = await commandJson<{ organisation_id: string }>(
    server,
    "orgs",
    "create",
    "--name",
    name,
  );
  const forOrg = ["--org", org];
  const { key } = await commandJson<{ key: string }>(
    server,
    "keys",
    "create",
    "--name",
    "all",
    "--scopes",
    "all",
    ...forOrg,
  );
  const { agentId } = await newAgent(server, { org });
  const { url } = await commandJson<{ url: string }>(server, "hook", "regenerate", ...forOrg);
  await command(server, "credits", "grant", "100", ...forOrg);
  return { org, key, agentId, hookUrl: url };
}

const asThem = (method: string, path: string, body?: unknown) =>
  ask(server, method, path, { key: theirs.key, ...(body === undefined ? {} : { body }) });
const throughHook = (hookUrl: string, action: string, data: object) =>
  ask(server, "POST", new URL(hookUrl).pathname, { key: null, body: { action, data } });

async function theirCall(): Promise<string> {
  const made = await asThem("POST", "/v1/calls", {
    agent_id: theirs.agentId,
    user_number: talkative(),
    user_name: "Their Patient",
  });
  expect(made.status).toBe(201);
  return String(made.data["call_id"]);
}

/** The same answer, except for the request id. */
function expectSameAnswer(one: ApiAnswer, other: ApiAnswer): void {
  const { request_id: _one, ...first } = one.error;
  const { request_id: _other, ...second } = other.error;
  expect([one.status, first]).toEqual([other.status, second]);
}

const idsOf = ({ text }: ApiAnswer) =>
  (JSON.parse(text) as { data: { call_id: string }[] }).data.map(({ call_id }) => call_id);

describe("another hospital's call", () => {
  test("cannot be read, cancelled or deleted; the answer is that of an unknown id, and the call is unchanged", async () => {
    const ours = await place(server, { scheduled_time: new Date(Date.now() + 3_600_000).toISOString() });
    const acts = [
      ["GET", ""],
      ["POST", "/cancel"],
      ["DELETE", ""],
    ] as const;
    for (const [method, suffix] of acts) {
      const answer = await asThem(method, `/v1/calls/${ours}${suffix}`);
      expectError(answer, 404, "NOT_FOUND");
      expectSameAnswer(answer, await asThem(method, `/v1/calls/${UNKNOWN}${suffix}`));
    }
    expect((await readCall(server, ours)).status).toBe("scheduled");
  });

  test("cannot be deleted when completed either, nor through their hook", async () => {
    const ours = await place(server);
    await finished(server, ours);
    expectError(await asThem("DELETE", `/v1/calls/${ours}`), 404, "NOT_FOUND");
    expectError(await throughHook(theirs.hookUrl, "call.delete", { call_id: ours }), 404, "NOT_FOUND");
    const waiting = await place(server, { scheduled_time: new Date(Date.now() + 3_600_000).toISOString() });
    expectError(await throughHook(theirs.hookUrl, "call.cancel", { call_id: waiting }), 404, "NOT_FOUND");
    expect((await readCall(server, ours)).status).toBe("completed");
    expect((await readCall(server, waiting)).status).toBe("scheduled");
  });

  test("is in no list of theirs, with any filter", async () => {
    const number = talkative();
    const ours = await place(server, { user_number: number });
    const mine = await theirCall();
    expect(idsOf(await ask(server, "GET", "/v1/calls"))).toContain(ours);
    expect(idsOf(await ask(server, "GET", "/v1/calls"))).not.toContain(mine);
    expect(idsOf(await asThem("GET", "/v1/calls"))).toEqual([mine]);
    const byNumber = `/v1/calls?contact_number=${encodeURIComponent(number)}`;
    expect(idsOf(await ask(server, "GET", byNumber))).toEqual([ours]);
    expect(idsOf(await asThem("GET", byNumber))).toEqual([]);
    expect(idsOf(await asThem("GET", `/v1/calls?agent_id=${server.demo["agent_id"]!}`))).toEqual([]);
  });

  test("a cursor of ours gives them nothing of ours", async () => {
    await place(server);
    await place(server);
    const { text } = await ask(server, "GET", "/v1/calls?limit=1");
    const { next_cursor } = JSON.parse(text) as { next_cursor: string };
    const stranger = idsOf(await asThem("GET", `/v1/calls?cursor=${next_cursor}&limit=100`));
    const ours = idsOf(await ask(server, "GET", "/v1/calls?limit=100"));
    expect(stranger.filter((id) => ours.includes(id))).toEqual([]);
  });
});

describe("other isolation", () => {
  test("another hospital's agent is unknown, over the API and the hook", async () => {
    const body = { agent_id: server.demo["agent_id"], user_number: talkative() };
    const answer = await asThem("POST", "/v1/calls", body);
    expectError(answer, 400, "VALIDATION_ERROR");
    expectSameAnswer(answer, await asThem("POST", "/v1/calls", { ...body, agent_id: "agt_unknown" }));
    const data = { agent_id: server.demo["agent_id"], contact_number: talkative() };
    expectError(await throughHook(theirs.hookUrl, "call.create", data), 400, "VALIDATION_ERROR");
  });

  test("a call created through a hook belongs to that hook's hospital", async () => {
    const made = await throughHook(theirs.hookUrl, "call.create", {
      agent_id: theirs.agentId,
      contact_number: talkative(),
    });
    const id = String(made.data["call_id"]);
    expect((await readCall(server, id, theirs.key)).agent_id).toBe(theirs.agentId);
    expectError(await ask(server, "GET", `/v1/calls/${id}`), 404, "NOT_FOUND");
  });

  test("one Idempotency-Key in two hospitals creates two calls", async () => {
    const headers = { "idempotency-key": "order-1" };
    const body = { agent_id: server.demo["agent_id"], user_number: talkative() };
    const ours = await ask(server, "POST", "/v1/calls", { body, headers });
    const theirBody = { ...body, agent_id: theirs.agentId };
    const other = await ask(server, "POST", "/v1/calls", { key: theirs.key, body: theirBody, headers });
    expect([ours.status, other.status, other.headers.get("idempotent-replayed")]).toEqual([201, 201, null]);
    expect(ours.data["call_id"]).not.toBe(other.data["call_id"]);
  });

  test("do-not-disturb lists and credits", async () => {
    const number = talkative();
    await command(server, "dnd", "add", number, "--org", theirs.org);
    const ours = await finished(server, await place(server, { user_number: number }));
    expect(ours.status).toBe("completed");
    await command(server, "credits", "grant", "--org", await organisationId(server), "--", "-2000");
    expect((await finished(server, await place(server))).error?.code).toBe("insufficient_credits");
    const id = await theirCall();
    await until(async () => (await readCall(server, id, theirs.key)).status === "completed");
  });
});
