// POST /v1/hooks/{token}: the three actions and every rejection.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { settle } from "../support/manual-clock.ts";
import { CONTACT_NUMBER } from "../support/hospital.ts";
import { createInbound, type Inbound } from "./inbound.ts";

let inbound: Inbound;
beforeEach(async () => {
  inbound = await createInbound({ logged: true });
  await inbound.hospital.app.start();
});
afterEach(() => inbound.hospital.close());

const created = async (data: Record<string, unknown> = {}): Promise<string> => {
  const answer = await inbound.create(data);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json.data["call_id"]!;
};
const completed = async (): Promise<string> => {
  const id = await inbound.hospital.dial({ user_number: "+919810000009" });
  inbound.hospital.carrier.talk(id);
  await settle();
  return id;
};

describe("call.create", () => {
  test("returns 201 with id, time and state", async () => {
    const { status, json } = await inbound.create({
      contact_name: "Meera",
      contact_email: "m@example.org",
      additional_info: { visit: "Monday", n: [1, { a: null }] },
    });
    expect(status).toBe(201);
    expect(json as unknown).toEqual({
      data: {
        call_id: expect.stringMatching(/^call_/),
        status: "scheduled",
        scheduled_at: new Date(inbound.hospital.clock.now() + 15_000).toISOString(),
      },
    });
    expect(await inbound.hospital.view(json.data["call_id"]!)).toMatchObject({
      contact_number: CONTACT_NUMBER,
      contact_name: "Meera",
      contact_email: "m@example.org",
      additional_info: { visit: "Monday", n: [1, { a: null }] },
    });
  });

  test("accepts user_* names too, and rejects both", async () => {
    expect(await created({ contact_number: undefined, user_number: "+15555550100" })).toStartWith("call_");
    const both = await inbound.create({ user_number: CONTACT_NUMBER });
    expect([both.status, both.json.error.code]).toEqual([400, "VALIDATION_ERROR"]);
  });

  test.each([
    ["12", "INVALID_PHONE_NUMBER"],
    ["98100 12345", "INVALID_PHONE_NUMBER"],
    ["+442071838750", "UNSUPPORTED_COUNTRY"],
    ["+12129760000", "INVALID_PHONE_NUMBER"],
    ["+18765550100", "UNSUPPORTED_COUNTRY"],
  ])("the number %j keeps its code %s but answers 400", async (number, code) => {
    const { status, json } = await inbound.create({ contact_number: number });
    expect([status, json.error.code, json.error.details?.[0]?.field]).toEqual([400, code, "contact_number"]);
  });

  test.each([
    ["no number", { contact_number: undefined }],
    ["a time without an offset", { scheduled_time: "2026-12-24T18:30:00" }],
    ["a past time", { scheduled_time: "2020-12-24T18:30:00Z" }],
    ["an unknown agent", { agent_id: "agt_unknown" }],
    ["no agent", { agent_id: undefined }],
    ["an agent that is a number", { agent_id: 3 }],
    ["a list of information", { additional_info: ["a"] }],
    ["a name that is a number", { contact_name: 3 }],
    ["26 pairs", { additional_info: Object.fromEntries(Array.from({ length: 26 }, (_, i) => [`k${i}`, 1])) }],
  ])("%s is 400", async (_, data) => {
    const { status, json } = await inbound.create(data);
    expect([status, json.error.code]).toEqual([400, "VALIDATION_ERROR"]);
  });

  test("with too few credits is 402, and no call is created", async () => {
    await inbound.hospital.db.write((tx) => tx.updateTable("organisations").set({ credit_balance: 0.5 }).execute());
    const { status, json } = await inbound.create();
    expect([status, json.error.code]).toEqual([402, "INSUFFICIENT_CREDITS"]);
    expect(await inbound.hospital.db.reader.selectFrom("calls").selectAll().execute()).toEqual([]);
    await inbound.hospital.db.write((tx) => tx.updateTable("organisations").set({ unlimited_credits: 1 }).execute());
    expect((await inbound.create()).status).toBe(201);
  });
});

describe("call.cancel", () => {
  test("answers like the API", async () => {
    const id = await created();
    const now = new Date(inbound.hospital.clock.now()).toISOString();
    const { status, json } = await inbound.act("call.cancel", id);
    expect([status, json]).toEqual([200, { data: { call_id: id, status: "cancelled", cancelled_at: now } }] as never);
  });

  test("of a started call is 409, of an unknown one 404", async () => {
    const id = await inbound.hospital.dial();
    expect((await inbound.act("call.cancel", id)).json.error.code).toBe("CALL_NOT_CANCELLABLE");
    expect((await inbound.act("call.cancel", id)).status).toBe(409);
    expect((await inbound.act("call.cancel", "call_unknown")).status).toBe(404);
  });
});

describe("call.delete", () => {
  test("answers like the API, and the call is gone", async () => {
    const id = await completed();
    const { status, json } = await inbound.act("call.delete", id);
    expect([status, json]).toEqual([200, { data: { call_id: id, deleted: true } }] as never);
    expect((await inbound.hospital.request("GET", `/v1/calls/${id}`)).status).toBe(404);
    expect((await inbound.act("call.delete", id)).status).toBe(404);
  });

  test("of a call that was never connected is 404", async () => {
    expect((await inbound.act("call.delete", await created())).status).toBe(404);
  });
});

describe("another organisation's hook", () => {
  test("neither cancels nor deletes here", async () => {
    const id = await created();
    const done = await completed();
    const { organisationId } = await inbound.hospital.neighbour();
    const { token } = await inbound.hospital.app.services.hooks.regenerate(organisationId, { kind: "cli", id: null });
    for (const body of [
      { action: "call.cancel", data: { call_id: id } },
      { action: "call.delete", data: { call_id: done } },
    ]) {
      expect((await inbound.send(body, {}, token)).status).toBe(404);
    }
  });
});

describe("the body", () => {
  test.each([["call.answer"], [""], [3], [null], [["call.create"]], ["CALL.CREATE"]])(
    "with the action %j is 400 and lists the three",
    async (action) => {
      const { status, json } = await inbound.send({ action, data: {} });
      expect([status, json.error.details?.[0]?.field]).toEqual([400, "action"]);
      for (const name of ["call.create", "call.cancel", "call.delete"]) expect(json.error.message).toContain(name);
    },
  );

  test.each([["{"], [""], ["[]"], ["null"], ['"call.create"']])("%j is 400", async (body) => {
    const { status, json } = await inbound.send(body);
    expect([status, json.error.code]).toEqual([400, "VALIDATION_ERROR"]);
  });

  test.each([
    ["missing", {}],
    ["null", { data: null }],
    ["a list", { data: [] }],
    ["without call_id", { data: {} }],
    ["with a call_id that is a number", { data: { call_id: 3 } }],
    ["with an empty call_id", { data: { call_id: "" } }],
  ])("whose data is %s is 400", async (_, rest) => {
    expect((await inbound.send({ action: "call.cancel", ...rest })).status).toBe(400);
  });

  test("whose data is not an object says what it must contain", async () => {
    const told = async (body: object) => (await inbound.send(body)).json.error.details;
    const message = (action: string, fields: string) =>
      `data must be an object with the fields of ${action}: {"action": "${action}", "data": {${fields}}}.`;
    expect(await told({ action: "call.create", data: "later" })).toEqual([
      { field: "data", message: message("call.create", '"agent_id": …, "contact_number": …') },
    ]);
    expect(await told({ action: "call.cancel", data: 3 })).toEqual([
      { field: "data", message: message("call.cancel", '"call_id": …') },
    ]);
  });

  test("must have a JSON content type: 415", async () => {
    expect((await inbound.send('{"action":"call.cancel"}', { "content-type": "text/plain" })).status).toBe(415);
  });

  test("must not exceed 256 KiB: 413", async () => {
    expect((await inbound.send({ action: "call.create", data: { note: "x".repeat(256 * 1024) } })).status).toBe(413);
  });
});

describe("Idempotency-Key", () => {
  const once = { "idempotency-key": "once" };

  test("makes two requests create one call", async () => {
    const first = await inbound.create({}, once);
    const second = await inbound.create({}, once);
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(await inbound.hospital.db.reader.selectFrom("calls").selectAll().execute()).toHaveLength(1);
  });

  test("with another body is 422", async () => {
    await inbound.create({}, once);
    const { status, json } = await inbound.create({ contact_name: "Other" }, once);
    expect([status, json.error.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  });

  test("replays the response of a delete, although the call is gone", async () => {
    const body = { action: "call.delete", data: { call_id: await completed() } };
    const first = await inbound.send(body, once);
    const second = await inbound.send(body, once);
    expect([second.status, second.text, second.headers.get("idempotent-replayed")]).toEqual([200, first.text, "true"]);
  });

  test("replays the response of a cancel", async () => {
    const body = { action: "call.cancel", data: { call_id: await created() } };
    const first = await inbound.send(body, once);
    const second = await inbound.send(body, once);
    expect([second.status, second.text, second.headers.get("idempotent-replayed")]).toEqual([200, first.text, "true"]);
  });

  test("is not shared with the API", async () => {
    await inbound.create({}, once);
    expect((await inbound.hospital.post({}, { headers: once })).headers.get("idempotent-replayed")).toBeNull();
  });
});

test("the audit trail names the hook, and the log contains neither token nor number", async () => {
  const id = await created({ contact_name: "Meera Iyer" });
  await inbound.act("call.cancel", id);
  await inbound.send({ action: "call.cancel" }, {}, "wrong-token");
  await settle();
  const entries = await inbound.hospital.db.reader
    .selectFrom("audit_entries")
    .selectAll()
    .where("subject_id", "=", id)
    .execute();
  expect(entries.map(({ actor_kind, action }) => `${actor_kind} ${action}`).toSorted()).toEqual([
    "hook call.cancelled",
    "hook call.created",
  ]);
  const log = inbound.hospital.logLines.join("\n");
  expect(log).toContain("/v1/hooks/***");
  for (const secret of [inbound.token, "wrong-token", CONTACT_NUMBER, "Meera"]) expect(log).not.toContain(secret);
});
