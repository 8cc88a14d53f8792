// Identifiers of patients on the compiled binary: limits and odd text over HTTP, a family on one telephone, a list in
// the dashboard, another organisation, and an erasure that leaves no byte.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import type { ListView } from "../../src/dashboard/campaign-list.ts";
import type { Identifier } from "../../src/payloads/identifiers.ts";
import type { Person, PersonRow } from "../../src/rights/model.ts";
import { daysAhead } from "../calendar/ahead.ts";
import { ask, createCall, expectError, newCall, type AskOptions } from "../support/api-client.ts";
import { leaveNothingBehind, runBinary, type Running } from "../support/binary.ts";
import { filesHolding } from "../support/byte-scan.ts";
import { commandJson, finished, numberEnding, place, startQuick } from "../support/calls.ts";
import { closeReceivers, startReceiver, type Receiver } from "../support/receiver.ts";

leaveNothingBehind();
closeReceivers();

const SOON = daysAhead(3);
const HEADERS = { "x-ringward-dashboard": "1" };

let server: Running;
let receiver: Receiver;
let cookie: string;
beforeAll(async () => {
  receiver = startReceiver();
  server = await startQuick(receiver.env);
  const endpoint = ["endpoints", "create", "--url", receiver.url, "--data", server.dataDir];
  expect((await runBinary(endpoint, { env: receiver.env })).code).toBe(0);
  const login = await fetch(`${server.url}/dashboard/api/demo-login`, { method: "POST", headers: HEADERS });
  cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
});
afterAll(() => server.stop());

const mrn = (value: string): Identifier => ({ system: "mrn", value });
const search = (body: object, options: AskOptions = {}) =>
  ask(server, "POST", "/v1/people/search", { body, ...options });
const peopleWith = async (identifier: Partial<Identifier>) =>
  (await search({ identifier })).data as unknown as PersonRow[];

async function openSlot(key?: string): Promise<string> {
  const body = { branch_id: randomUUID(), day: SOON.day, session: "Morning", ai_slots: 4, max_slots: 10 };
  const { data } = await ask(server, "POST", "/v1/appointment-slots", { body, ...(key !== undefined && { key }) });
  return `${String(data["calendar_id"])}||${SOON.date}`;
}

describe("over HTTP", () => {
  const ten = Array.from({ length: 10 }, (_, i) => ({ system: "s".repeat(200), value: `${i}${"ज".repeat(99)}` }));

  test("ten of the longest identifiers come back as they were sent", async () => {
    const id = await createCall(server, { user_identifiers: ten });
    const { data } = await ask(server, "GET", `/v1/calls/${id}`);
    expect(data["contact_identifiers"]).toEqual(ten);
  });

  const odd: [string, string][] = [
    ["eleven", JSON.stringify([...ten, mrn("1")])],
    ["a value of 101 characters", JSON.stringify([mrn("x".repeat(101))])],
    ["a system of 201 characters", JSON.stringify([{ system: "x".repeat(201), value: "1" }])],
    ["an empty value", '[{"system":"mrn","value":""}]'],
    ["a blank system", '[{"system":"  ","value":"1"}]'],
    ["a NUL", String.raw`[{"system":"mrn","value":"1\u0000"}]`],
    ["a line break", String.raw`[{"system":"mrn\n","value":"1"}]`],
    ["a mark of text direction", String.raw`[{"system":"mrn","value":"\u202e1"}]`],
    ["half a surrogate pair", String.raw`[{"system":"mrn","value":"\ud83d"}]`],
    ["a number", '[{"system":"mrn","value":4711}]'],
    ["an object", '{"mrn":"4711"}'],
    ["nested lists", "[[[]]]"],
    ["one pair twice", JSON.stringify([mrn("UNREPEATED-1"), mrn("UNREPEATED-1")])],
  ];
  test.each(odd)("%s is refused everywhere, and not repeated", async (_what, json) => {
    const call = JSON.stringify(newCall(server)).slice(0, -1);
    const slot = await openSlot();
    const answers = [
      await ask(server, "POST", "/v1/calls", { body: `${call},"user_identifiers":${json}}` }),
      await ask(server, "POST", "/v1/appointments", { body: `{"slot_id":"${slot}","contact_identifiers":${json}}` }),
      await ask(server, "POST", "/v1/waitlist", {
        body: `{"branch_id":"${randomUUID()}","contact_number":"+919810012345","contact_identifiers":${json}}`,
      }),
    ];
    for (const answer of answers) {
      expectError(answer, 400, "VALIDATION_ERROR");
      expect(answer.text).not.toContain("UNREPEATED");
    }
  });

  test("an identifier in an address is refused", async () => {
    for (const path of ["/v1/appointments", "/v1/people"])
      expectError(await ask(server, "GET", `${path}?identifier=mrn%7C4711`), 400, "VALIDATION_ERROR");
  });
});

test("a family on one telephone is told apart, in people, in appointments and in the call of a list", async () => {
  const number = numberEnding("0777");
  const tag = randomUUID().slice(0, 8);
  const [child, mother] = [mrn(`C-${tag}`), mrn(`M-${tag}`)];
  const slot = await openSlot();
  const book = (contact_name: string, identifier: Identifier) =>
    ask(server, "POST", "/v1/appointments", {
      body: { slot_id: slot, contact_name, contact_number: number, contact_identifiers: [identifier] },
    });
  const [first] = [await book("Baby Rao", child), await book("Devi Rao", mother)];
  const found = await ask(server, "POST", "/v1/appointments/search", { body: { identifier: child } });
  expect((found.data as unknown as { appointment_id: unknown }[]).map(({ appointment_id }) => appointment_id)).toEqual([
    first.data["appointment_id"],
  ]);
  const [row] = await peopleWith({ value: `c ${tag.toUpperCase()}` });
  expect(row?.people.map(({ names, identifiers }) => [names, identifiers]).toSorted()).toEqual([
    [["Baby Rao"], [child]],
    [["Devi Rao"], [mother]],
  ]);
  const person = (await ask(server, "GET", `/v1/people/${row?.contact_id}`)).data as unknown as Person;
  expect(person.people).toHaveLength(2);

  const form = new FormData();
  form.set("asked", JSON.stringify({ agent_id: server.demo["agent_id"] }));
  form.set("text", `UHID,Patient,Mobile\n${child.value},Baby Rao,${number}\n${mother.value},Baby Rao,${number}\n`);
  const list = await fetch(`${server.url}/dashboard/api/campaigns/list`, {
    method: "POST",
    headers: { ...HEADERS, cookie },
    body: form,
  });
  const view = (await list.json()) as ListView;
  expect(view.mapping.identifiers).toEqual({ mrn: 0 });
  expect(view.rows.map((each) => each.user_identifiers)).toEqual([[child], [mother]]);
});

test("another organisation finds no one, and a key needs its scope", async () => {
  const tag = randomUUID().slice(0, 8);
  await createCall(server, { user_identifiers: [mrn(tag)] });
  expect(await peopleWith(mrn(tag))).toHaveLength(1);
  const { organisation_id } = await commandJson<{ organisation_id: string }>(server, "orgs", "create", "--name", "B");
  const newKey = (scopes: string) =>
    commandJson<{ key: string }>(server, "keys", "create", "--name", "B", "--scopes", scopes, "--org", organisation_id);
  const { key } = await newKey("people:read,appointments:read");
  for (const body of [{ identifier: mrn(tag) }, { text: tag }])
    expect((await search(body, { key })).data as unknown).toEqual([]);
  const theirs = await ask(server, "POST", "/v1/appointments/search", { body: { identifier: mrn(tag) }, key });
  expect(theirs.data as unknown).toEqual([]);
  expectError(await search({ identifier: mrn(tag) }, await newKey("calls:read")), 403, "INSUFFICIENT_SCOPE");
});

test("an erased person leaves no byte of their identifiers, and none was logged", async () => {
  const tag = randomUUID().slice(0, 8);
  const number = numberEnding("0001");
  const value = `Kennung-${tag}`;
  // As it was given, as a search has it, and nothing that another person has.
  const words = [value, `kennung${tag}`];
  await finished(server, await place(server, { user_number: number, user_identifiers: [mrn(value)] }));
  const slot = await openSlot();
  const contact = { contact_number: number, contact_identifiers: [mrn(value)] };
  expect((await ask(server, "POST", "/v1/appointments", { body: { slot_id: slot, ...contact } })).status).toBe(201);
  const branch_id = randomUUID();
  expect((await ask(server, "POST", "/v1/waitlist", { body: { branch_id, ...contact } })).status).toBe(201);
  expect(Object.keys(filesHolding(server.dataDir, words)).toSorted()).toEqual(words.toSorted());

  const [row] = await peopleWith(mrn(value));
  const erased = await fetch(`${server.url}/dashboard/api/contacts/${row?.contact_id}/erase`, {
    method: "POST",
    headers: { ...HEADERS, cookie },
  });
  expect(erased.status).toBe(200);
  expect(filesHolding(server.dataDir, words)).toEqual({});
  expect(await peopleWith(mrn(value))).toEqual([]);
  await server.kill();
  expect(filesHolding(server.dataDir, words)).toEqual({});
  expect(server.output()).not.toContain(tag);
});
