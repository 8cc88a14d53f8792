// The API document allows exactly the forms of a body that the inbound webhook accepts.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { operationsOf, type RawDocument } from "../../scripts/contract-fuzz/document.ts";
import { Schemas } from "../../scripts/contract-fuzz/schemas.ts";
import document from "../contract/openapi.json" with { type: "json" };
import { createInbound, type Inbound } from "./inbound.ts";

const { body: schema } = operationsOf(document as unknown as RawDocument).find(({ id }) => id === "inboundHook")!;
const schemas = new Schemas();

let inbound: Inbound;
beforeAll(async () => {
  inbound = await createInbound();
});
afterAll(() => inbound.hospital.close());

const call = { contact_number: "+919810012345" };
const create = (data: unknown, beside: object = {}) => ({ action: "call.create", data, ...beside });

test.each<[what: string, isTaken: boolean, body: (agent: object) => unknown]>([
  ["data as an object", true, (agent) => create({ ...agent, ...call })],
  ["data as JSON text", true, (agent) => create(JSON.stringify({ ...agent, ...call }))],
  ["data as a list of one", true, (agent) => create([{ ...agent, ...call }])],
  ["fields beside action", true, (agent) => ({ action: "call.create", ...agent, ...call })],
  ["a list of one", true, (agent) => [create({ ...agent, ...call })]],
  ["a number without quotes", true, (agent) => create({ ...agent, contact_number: 919_810_012_345 })],
  ["empty text", true, (agent) => create({ ...agent, ...call, scheduled_time: "", user_identifiers: " " })],
  ["additional_info as JSON text", true, (agent) => create({ ...agent, ...call, additional_info: '{"n":1}' })],
  ["ping with anything", true, () => ({ action: "ping", data: 7 })],
  ["a list of one ping", true, () => [{ action: "ping" }]],
  ["an empty list", false, () => []],
  ["a list of two", false, (agent) => [create({ ...agent, ...call }), create({ ...agent, ...call })]],
  ["data as a list of two", false, (agent) => create([{ ...agent, ...call }, call])],
  ["a list in a list", false, () => [[{ action: "ping" }]]],
  ["an unknown action", false, (agent) => ({ ...create({ ...agent, ...call }), action: "call.dial" })],
  ["no agent", false, () => create(call)],
  ["a name of 201 characters", false, (agent) => create({ ...agent, ...call, contact_name: "a".repeat(201) })],
])("%s", async (_, isTaken, body) => {
  const given = body({ agent_id: inbound.hospital.agentId });
  const { status } = await inbound.send(given);
  const fault = schema && schemas.faultOfRequest(schema, given);
  expect([status < 300, fault === null]).toEqual([isTaken, isTaken]);
});
