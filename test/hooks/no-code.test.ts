// What Zapier, Make, n8n and HTML forms send to the inbound hook.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { outcome } from "../support/hospital.ts";
import type { Answer } from "../support/test-app.ts";
import { createInbound, signed, type Inbound } from "./inbound.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };

let inbound: Inbound;
beforeEach(async () => {
  inbound = await createInbound();
});
afterEach(() => inbound.hospital.close());

const agent = () => inbound.hospital.agentId;
const callOf = (answer: Answer) => {
  if (answer.status !== 201) throw new Error(answer.text);
  return inbound.hospital.view(answer.json.data["call_id"]!);
};

describe("a form", () => {
  test.each([
    [
      "flat",
      (id: string) => `action=call.create&agent_id=${id}&contact_number=%2B919810012345&contact_name=Zo%C3%AB+Rao`,
    ],
    [
      "in brackets",
      (id: string) =>
        `action=call.create&data[agent_id]=${id}&data[contact_number]=%2B91+98100-12345&data%5Bcontact_name%5D=Zo%C3%AB%20Rao`,
    ],
    [
      "with dots",
      (id: string) =>
        `action=call.create&data.agent_id=${id}&data.contact_number=919810012345&data.contact_name=Zo%C3%AB Rao`,
    ],
    [
      "with a bare plus, which means a space",
      (id: string) => `action=call.create&agent_id=${id}&contact_number=+919810012345&contact_name=Zo%C3%AB+Rao`,
    ],
    [
      "with data as JSON text",
      (id: string) =>
        `action=call.create&data=${encodeURIComponent(JSON.stringify({ agent_id: id, contact_number: "+919810012345", contact_name: "Zoë Rao" }))}`,
    ],
  ])("%s makes the call", async (_, form) => {
    expect(await callOf(await inbound.send(form(agent()), FORM))).toMatchObject({
      contact_number: "+919810012345",
      contact_name: "Zoë Rao",
    });
  });

  test("accepts additional_info in every notation", async () => {
    const base = `action=call.create&agent_id=${agent()}&contact_number=%2B919810012345`;
    const info = async (more: string) => (await callOf(await inbound.send(`${base}&${more}`, FORM))).additional_info;
    expect(await info("additional_info[doctor]=Dr.+Iyer&additional_info.visit=scan")).toEqual({
      doctor: "Dr. Iyer",
      visit: "scan",
    });
    expect(await info("additional_info__doctor=Dr.+Iyer")).toEqual({ doctor: "Dr. Iyer" });
    expect(await info(`additional_info=${encodeURIComponent('{"n":[1]}')}`)).toEqual({ n: [1] });
    const nested = `action=call.create&data[agent_id]=${agent()}&data[contact_number]=%2B919810012345&data[additional_info][doctor]=A`;
    expect((await callOf(await inbound.send(nested, FORM))).additional_info).toEqual({ doctor: "A" });
  });

  test.each([
    ["a field twice", "action=ping&action=ping"],
    ["a broken escape", "action=%E0%A4%A"],
    ["bytes that are no UTF-8", "action=%FF"],
    ["NUL", "action=ping&x=%00"],
    ["too many fields", Array.from({ length: 300 }, (_, i) => `f${i}=1`).join("&")],
    ["no action", "agent_id=x"],
    ["nothing", ""],
  ])("with %s is 400", async (_, form) => {
    expect(outcome(await inbound.send(form, FORM))).toBe("400 VALIDATION_ERROR");
  });

  test("is signed over its bytes", async () => {
    await inbound.hospital.app.services.hooks.requireSignature(inbound.hospital.organisationId, true, CLI_ACTOR);
    const form = `action=call.create&agent_id=${agent()}&contact_number=%2B919810012345`;
    const headers = { ...FORM, ...signed(inbound.secret, inbound.hospital.clock.now(), form) };
    expect((await inbound.send(form, headers)).status).toBe(201);
    expect(outcome(await inbound.send(`${form}&x=1`, headers))).toBe("401 UNAUTHORIZED");
  });

  test("of another kind is 415, and lists the accepted ones", async () => {
    const { status, json } = await inbound.send("a", { "content-type": "multipart/form-data; boundary=x" });
    expect(status).toBe(415);
    expect(json.error.message).toContain("application/x-www-form-urlencoded");
  });
});

describe("JSON", () => {
  const data = () => ({ agent_id: agent(), contact_number: "+919810012345" });

  test("with flat fields, data as text, or in a list of one creates the call", async () => {
    const bodies = [
      { action: "call.create", ...data() },
      { action: "call.create", data: JSON.stringify(data()) },
      { action: "call.create", data: [data()] },
      [{ action: "call.create", data: data() }],
      [{ action: "call.create", data: "", ...data() }],
    ];
    for (const body of bodies) expect((await callOf(await inbound.send(body))).contact_number).toBe("+919810012345");
  });

  test("a list of two is rejected, and no call is created", async () => {
    const one = { action: "call.create", data: data() };
    const { status, json } = await inbound.send([one, one]);
    expect([status, json.error.message]).toEqual([400, "The body is a list of 2. Send one request for each."]);
    expect(await inbound.hospital.db.reader.selectFrom("calls").select("id").execute()).toEqual([]);
  });

  test.each([
    [919810012345, "+919810012345"],
    [12025550123, "+12025550123"],
    ["+91 98100 12345", "+919810012345"],
    ["+91\u00a098100\u202f12345", "+919810012345"],
    ["+1 (202) 555-0123", "+12025550123"],
    ["919810012345", "+919810012345"],
  ])("the number %j is dialled as %s", async (number, expected) => {
    expect((await callOf(await inbound.create({ contact_number: number }))).contact_number).toBe(expected);
    expect(
      (await callOf(await inbound.create({ contact_number: undefined, user_number: number }))).contact_number,
    ).toBe(expected);
  });

  test.each([
    ["a mobile without its country code", 9_123_456_789],
    ["the same as text", "9123456789"],
    ["a fraction", 919_810_012.5],
    ["more than a number holds", 9.1e30],
    ["a spreadsheet's rounding", "9.1981E+11"],
    ["letters", "call me"],
  ])("%s is rejected: no other number is dialled", async (_, number) => {
    expect((await inbound.create({ contact_number: number })).status).toBe(400);
    expect(await inbound.hospital.db.reader.selectFrom("calls").select("id").execute()).toEqual([]);
  });

  test("empty text is absent", async () => {
    const empty = { contact_name: "", contact_email: "  ", scheduled_time: "", additional_info: "" };
    expect(await callOf(await inbound.create(empty))).toMatchObject({ contact_name: null, contact_email: null });
    const { json } = await inbound.create({ contact_number: "" });
    expect(json.error.details).toEqual([{ field: "contact_number", message: "contact_number is required." }]);
  });

  test("text that looks like JSON and is invalid names its field", async () => {
    const { status, json } = await inbound.send({ action: "call.create", data: '{"agent_id": ' });
    expect([status, json.error.details?.[0]?.field]).toEqual([400, "data"]);
    const deep = "[".repeat(500) + "]".repeat(500);
    expect((await inbound.send({ action: "call.create", data: deep })).status).toBe(400);
  });

  test("names of object properties are ordinary fields", async () => {
    const body = `{"action":"call.create","agent_id":"${agent()}","contact_number":"+919810012345","__proto__":{"contact_name":"X"}}`;
    const answer = await inbound.send(body);
    expect(await callOf(answer)).toMatchObject({ contact_name: null });
    expect(answer.headers.get("ringward-ignored-fields")).toContain("__proto__");
  });
});

describe("the address", () => {
  const ask = (method: string, token = inbound.token, slash = "") =>
    inbound.hospital.request(method, `/v1/hooks/${token}${slash}`, { key: null });

  test("answers GET and HEAD if it is valid, without counting them", async () => {
    for (const slash of ["", "/"]) {
      const { status, json } = await ask("GET", inbound.token, slash);
      expect([status, json.data]).toEqual([
        200,
        { status: "ready", signature_required: false, actions: ["call.create", "call.cancel", "call.delete", "ping"] },
      ] as never);
      // The server sends only the head; test/scenarios/hooks.test.ts covers it.
      expect((await ask("HEAD", inbound.token, slash)).status).toBe(200);
    }
    expect(outcome(await ask("GET", "x".repeat(43)))).toBe("401 UNAUTHORIZED");
    expect((await inbound.hospital.app.services.hooks.status(inbound.hospital.organisationId))?.quota_used).toBe(0);
  });

  test("can end in a slash", async () => {
    const body = { action: "call.create", data: { agent_id: agent(), contact_number: "+919810012345" } };
    expect((await inbound.send(body, {}, `${inbound.token}/`)).status).toBe(201);
  });

  test("answers a ping, with data, without, and in a form", async () => {
    for (const body of [{ action: "ping" }, { action: "ping", data: { a: 1 } }, [{ action: "ping" }]])
      expect(await inbound.send(body)).toMatchObject({ status: 200, json: { data: { pong: true } } });
    expect((await inbound.send("action=ping", FORM)).status).toBe(200);
    expect((await inbound.send({ action: "ping" }, { "idempotency-key": "a" })).status).toBe(200);
  });
});

describe("a rejected signature", () => {
  const body = JSON.stringify({ action: "ping" });
  const now = () => inbound.hospital.clock.now();
  const told = async (headers: Record<string, string>) => {
    const { status, json } = await inbound.send(body, headers);
    return `${status} ${json.error.message}`;
  };
  beforeEach(() =>
    inbound.hospital.app.services.hooks.requireSignature(inbound.hospital.organisationId, true, CLI_ACTOR),
  );

  test("says which header is missing", async () => {
    const good = signed(inbound.secret, now(), body);
    expect(await told({})).toStartWith("401 X-Inbound-Timestamp and X-Inbound-Signature missing.");
    expect(await told({ "x-inbound-timestamp": good["x-inbound-timestamp"]! })).toStartWith(
      "401 X-Inbound-Signature missing.",
    );
  });

  test("reports the clock difference", async () => {
    expect(await told(signed(inbound.secret, now() - 402_000, body))).toStartWith(
      "401 X-Inbound-Timestamp is 402 seconds behind this server's clock; at most 300 are allowed.",
    );
    expect(await told(signed(inbound.secret, now() + 3_600_000, body))).toStartWith(
      "401 X-Inbound-Timestamp is 3600 seconds ahead of this server's clock",
    );
    const millis = { ...signed(inbound.secret, now(), body), "x-inbound-timestamp": String(now()) };
    expect(await told(millis)).toContain("Unix seconds");
  });

  test("reports that it is wrong", async () => {
    expect(await told(signed("whin_other", now(), body))).toStartWith("401 X-Inbound-Signature is wrong.");
  });
});
