// The audit log on the dashboard: patients by name while they are stored, found by patient, people apart from the
// appliance. The log holds ids alone, so an erased patient has no name in it.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createClinic, MONDAY, on, type Clinic } from "../calendar/clinic.ts";
import { CONTACT_NUMBER } from "../support/hospital.ts";
import { signedIn, type Visitor } from "../support/dashboard.ts";

interface Entry {
  action: string;
  actor_kind: string;
  actor_name: string | null;
  subject_id: string | null;
  subject_name: string | null;
  is_patient: boolean;
  contact_id: string | null;
}

const NAME = "Zebra Patient";
let clinic: Clinic;
let owner: Visitor;
let auditor: Visitor;
let staff: Visitor;
let contactId: string;
let callId: string;

const entries = async (query = "", who = owner) =>
  ((await who.ask("GET", `/dashboard/api/audit${query}`)).json as unknown as { data: Entry[] }).data;
const aboutPatients = (list: Entry[]) => list.filter(({ is_patient }) => is_patient);

beforeAll(async () => {
  clinic = await createClinic();
  const { app, organisationId } = clinic;
  owner = await signedIn(app, organisationId, "owner");
  auditor = await signedIn(app, organisationId, "auditor");
  staff = await signedIn(app, organisationId, "staff");
  callId = await clinic.schedule({ user_name: NAME });
  const window = await clinic.createWindow();
  await clinic.book(on(window, MONDAY), { contact_name: NAME, contact_number: CONTACT_NUMBER });
  contactId = app.services.contactIds.idOf(organisationId, CONTACT_NUMBER) ?? "";
  await staff.ask("GET", `/dashboard/api/contacts/${contactId}`);
  await staff.ask("GET", `/dashboard/api/calls/${callId}`);
});
afterAll(() => clinic.close());

test("an owner reads who opened which patient, with the patient's name and page", async () => {
  const [opened] = (await entries("?action=contact.read")).filter(({ actor_name }) => actor_name === "The staff");
  expect(opened).toMatchObject({ subject_name: NAME, contact_id: contactId, actor_kind: "person" });
  const about = await entries(`?contact_id=${contactId}`);
  for (const action of ["contact.read", "call.created", "call.read", "appointment.created"])
    expect(about.find((entry) => entry.action === action)).toMatchObject({ subject_name: NAME, contact_id: contactId });
  expect((await entries("?action=agent.created"))[0]).toMatchObject({ subject_name: "Asha", is_patient: false });
});

test("names that were shown are on record", async () => {
  await entries("?action=call.created");
  const [newest] = await entries("?action=audit.listed");
  expect(newest).toMatchObject({ actor_name: "The owner", subject_id: null });
});

test("an auditor reads the same acts without a patient's name", async () => {
  const about = await entries(`?contact_id=${contactId}`, auditor);
  expect(aboutPatients(about).length).toBeGreaterThan(3);
  expect(JSON.stringify(await entries("", auditor))).not.toContain(NAME);
});

test("staff read no audit log", async () => {
  expect((await staff.ask("GET", `/dashboard/api/audit?contact_id=${contactId}`)).status).toBe(403);
});

test("people are kept apart from keys and from the appliance", async () => {
  for (const kind of ["person", "key", "cli"]) {
    const kinds = new Set((await entries(`?actor_kind=${kind}`)).map(({ actor_kind }) => actor_kind));
    expect([...kinds]).toEqual([kind]);
  }
  const byPeople = await entries(`?contact_id=${contactId}&actor_kind=person`);
  expect(new Set(byPeople.map(({ actor_name }) => actor_name))).toEqual(new Set(["The staff"]));
  expect((await owner.ask("GET", "/dashboard/api/audit?actor_kind=nobody")).status).toBe(400);
});

test("an id of another organisation names no one", async () => {
  const { organisationId } = await clinic.neighbour();
  const stranger = await signedIn(clinic.app, organisationId, "owner");
  const { status } = await stranger.ask("GET", `/dashboard/api/audit?contact_id=${contactId}`);
  expect(status).toBe(400);
  expect(JSON.stringify(await entries("", stranger))).not.toContain(NAME);
});

test("an erased patient has no name in the log, neither for their page nor for their calls", async () => {
  await clinic.request("POST", `/v1/calls/${callId}/cancel`);
  const { status, text } = await owner.ask("POST", `/dashboard/api/contacts/${contactId}/erase`);
  expect([status, text]).toEqual([200, expect.stringContaining("calls")]);
  const all = await entries();
  expect(JSON.stringify(all)).not.toContain(NAME);
  expect(JSON.stringify(all)).not.toContain(contactId);
  expect(all.find(({ action }) => action === "call.created")).toMatchObject({ subject_name: null, contact_id: null });
});
