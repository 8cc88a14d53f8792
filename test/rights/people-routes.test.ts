// People over the API: listed in pages, found by name and number, read by an opaque id; audited; scopes and walls.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import type { Person, PersonRow } from "../../src/rights/model.ts";
import { createClinic, MONDAY, on, refusal, type Clinic } from "../calendar/clinic.ts";
import { outcome } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";

const NUMBER = "+919876512345";
const MRN = { system: "mrn", value: "MRN-004711" };

let clinic: Clinic;
let callId: string;
let appointmentId: string;
beforeAll(async () => {
  clinic = await createClinic({ logged: true });
  await clinic.app.start();
  callId = await clinic.dial({ user_number: NUMBER, user_name: "Lata Iyer", user_identifiers: [MRN] });
  clinic.carrier.talk(callId);
  await settle();
  const slot = on(await clinic.createWindow(), MONDAY);
  const booked = await clinic.book(slot, {
    contact_number: NUMBER,
    contact_name: "L. Iyer",
    contact_identifiers: [MRN],
  });
  appointmentId = booked.appointment_id;
  for (let i = 0; i < 4; i++)
    await clinic.schedule({ user_number: `+91224455667${i}`, ...(i > 0 && { user_name: `Other ${i}` }) });
  const { personId, notes } = { personId: await colleague(), notes: clinic.app.services.contactNotes };
  await notes.add(clinic.organisationId, NUMBER, "Hard of hearing.", personId, CLI_ACTOR);
  await clinic.app.services.consents.grant(
    clinic.organisationId,
    { contact_number: NUMBER, purpose: "promotional", basis: "written" },
    CLI_ACTOR,
  );
});
afterAll(() => clinic.close());

async function colleague(): Promise<string> {
  const { people } = clinic.app.services;
  const nurse = { email: "nurse@test.example", name: "Nurse", role: "staff", password: "correct horse battery" };
  await people.create(clinic.organisationId, nurse, CLI_ACTOR);
  const row = await clinic.db.reader.selectFrom("people").select("id").executeTakeFirstOrThrow();
  return row.id;
}

const list = async (query = "", key?: string) =>
  (await clinic.request("GET", `/v1/people${query}`, key === undefined ? {} : { key })).json as unknown as {
    data: PersonRow[];
    next_cursor: string | null;
  };
const search = (body: object, key?: string) =>
  clinic.request("POST", "/v1/people/search", { body, ...(key === undefined ? {} : { key }) });
const find = (text: string, key?: string) => search({ text }, key);
const found = async (text: string) => (await find(text)).json.data as unknown as PersonRow[];
const idOf = async () => (await found(NUMBER))[0]!.contact_id!;
const read = (id: string, key?: string) => clinic.request("GET", `/v1/people/${id}`, key === undefined ? {} : { key });

test("the list has everyone once, in pages, and no number in a cursor", async () => {
  const numbers: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page = await list(`?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
    numbers.push(...page.data.map(({ contact_number }) => contact_number));
    cursor = page.next_cursor;
    const plain = Buffer.from(cursor ?? "", "base64url").toString();
    for (const number of numbers) expect(plain).not.toContain(number.slice(1));
  }
  expect(numbers).toEqual([...[0, 1, 2, 3].map((i) => `+91224455667${i}`), NUMBER]);
  const { data } = await list();
  expect(data.map(({ contact_name }) => contact_name)).toEqual([null, "Other 1", "Other 2", "Other 3", "L. Iyer"]);
  expect(data.at(-1)).toMatchObject({ next_appointment: { date: MONDAY }, is_do_not_disturb: false });
  expect(refusal(await clinic.request("GET", "/v1/people?cursor=x"))).toEqual([400, "VALIDATION_ERROR", "cursor"]);
});

test.each(["098765 12345", "lata", "L. Iyer", "98765", MONDAY])("a search for %j finds the person", async (text) => {
  const people = await found(text);
  expect(people.map(({ contact_number }) => contact_number)).toEqual([NUMBER]);
});

test.each([
  [{ text: "mrn 004711" }],
  [{ text: " MRN-004711 " }],
  [{ identifier: { value: "mrn004711" } }],
  [{ identifier: MRN }],
])("%j finds the person by an identifier", async (body) => {
  const people = (await search(body)).json.data as unknown as PersonRow[];
  expect(people.map(({ contact_number }) => contact_number)).toEqual([NUMBER]);
  expect(people[0]?.people).toEqual([{ names: ["L. Iyer", "Lata Iyer"], identifiers: [MRN] }]);
});

test.each([
  [{ identifier: { system: "abha", value: MRN.value } }],
  [{ identifier: { value: "004711" } }],
  [{ text: "MRN-00471" }],
])("%j finds no one: an identifier is whole, and of its system", async (body) => {
  expect((await search(body)).json.data as unknown).toEqual([]);
});

test.each([
  [{}, "text"],
  [{ text: "Lata", identifier: MRN }, "text"],
  [{ identifier: { system: "mrn" } }, "identifier.value"],
  [{ identifier: { value: "\u0007" } }, "identifier.value"],
])("%j is no search", async (body, field) => {
  expect(refusal(await search(body))).toEqual([400, "VALIDATION_ERROR", field]);
});

test("a family that shares a telephone is several people", async () => {
  const number = "+919876598765";
  const child = { system: "mrn", value: "MRN-1" };
  const mother = { system: "mrn", value: "MRN-2" };
  await clinic.schedule({ user_number: number, user_name: "Baby Rao", user_identifiers: [child] });
  await clinic.schedule({ user_number: number, user_name: "Devi Rao", user_identifiers: [mother] });
  await clinic.schedule({ user_number: number, user_name: "Ravi Rao" });
  const [row] = (await search({ identifier: child })).json.data as unknown as PersonRow[];
  expect(row).toMatchObject({ contact_number: number, contact_name: "Baby Rao" });
  const person = (await read(row!.contact_id!)).json.data as unknown as Person;
  expect(person.people.toSorted((a, b) => (a.names[0]! < b.names[0]! ? -1 : 1))).toEqual([
    { names: ["Baby Rao"], identifiers: [child] },
    { names: ["Devi Rao"], identifiers: [mother] },
    { names: ["Ravi Rao"], identifiers: [] },
  ]);
});

test("a search finds the person by an appointment, and no one by other words", async () => {
  expect(await found(appointmentId)).toHaveLength(1);
  expect(await found("Nobody")).toEqual([]);
});

test.each(["", " ", "a", "12"])("a search for %j searches for nothing and is rejected", async (text) => {
  expect(refusal(await find(text))).toEqual([400, "VALIDATION_ERROR", "text"]);
});

test("a person has calls, appointments, consents and notes", async () => {
  const { text, json } = await read(await idOf());
  const person = json.data as unknown as Person;
  expect(person).toMatchObject({
    contact_number: NUMBER,
    names: ["Lata Iyer", "L. Iyer"],
    do_not_disturb_since: null,
    calls: [{ call_id: callId, status: "completed", call_direction: "outbound" }],
    has_more_calls: false,
    appointments: [{ appointment_id: appointmentId, status: "confirmed", date: MONDAY }],
    has_more_appointments: false,
    consents: [{ purpose: "promotional", status: "active" }],
    notes: [{ text: "Hard of hearing." }],
  });
  // Of each call and appointment the summary alone.
  expect(text).not.toContain("transcript");
  expect(text).not.toContain("contact_email");
});

test("every read is in the audit log, and no number is logged", async () => {
  const id = await idOf();
  const { headers } = await read(id);
  const entries = await clinic.db.reader
    .selectFrom("audit_entries")
    .select(["action", "subject_id"])
    .where("request_id", "=", headers.get("x-request-id"))
    .execute();
  expect(entries).toContainEqual({ action: "contact.read", subject_id: id });
  expect(await clinic.actionsOnRecord()).toContain("contact.listed");
  expect(clinic.logLines.join("\n")).not.toContain(NUMBER.slice(3));
  expect(clinic.logLines.join("\n")).not.toContain("004711");
});

test("other organisations neither find nor read the person", async () => {
  const { key } = await clinic.neighbour();
  expect((await list("", key)).data).toEqual([]);
  expect((await find("lata", key)).json.data as unknown).toEqual([]);
  expect((await search({ identifier: MRN }, key)).json.data as unknown).toEqual([]);
  expect((await find(appointmentId, key)).json.data as unknown).toEqual([]);
  expect(outcome(await read(await idOf(), key))).toBe("404 NOT_FOUND");
  const { next_cursor } = await list("?limit=1");
  const foreign = await clinic.request("GET", `/v1/people?cursor=${next_cursor}`, { key });
  expect(refusal(foreign)).toEqual([400, "VALIDATION_ERROR", "cursor"]);
});

test.each(["x", "0".repeat(32)])("%s is unknown", async (id) => {
  expect(outcome(await read(id))).toBe("404 NOT_FOUND");
});

test("people have a scope of their own", async () => {
  const id = await idOf();
  const [reads, others] = [await clinic.newKey(["people:read"]), await clinic.newKey(["people:export", "calls:read"])];
  for (const ask of [() => find("lata", reads), () => read(id, reads)]) expect(outcome(await ask())).toBe("200 ok");
  const refused = "403 INSUFFICIENT_SCOPE";
  expect(outcome(await clinic.request("GET", "/v1/people", { key: reads }))).toBe("200 ok");
  expect(outcome(await clinic.request("GET", "/v1/people", { key: others }))).toBe(refused);
  expect(outcome(await find("lata", others))).toBe(refused);
  expect(outcome(await read(id, others))).toBe(refused);
});
