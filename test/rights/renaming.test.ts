// Renaming and merging people of one number: only the chosen person's records change, and nothing else of them.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { ContactPageData } from "../../src/dashboard/contact-page.ts";
import { BRANCH, createClinic, MONDAY, on, type Clinic } from "../calendar/clinic.ts";
import { signedIn, type Visitor } from "../support/dashboard.ts";
import { settle } from "../support/manual-clock.ts";
import type { Slot } from "../../src/payloads/slot.ts";

const NUMBER = "+919876512345";
const MRN = (value: string) => [{ system: "urn:test:mrn", value }];

let clinic: Clinic;
let window: Slot;
let staff: Visitor;
beforeEach(async () => {
  clinic = await createClinic();
  window = await clinic.createWindow();
  staff = await signedIn(clinic.app, clinic.organisationId, "staff");
});
afterEach(() => clinic.close());

const book = (contact_name: string | null, changes: object = {}) =>
  clinic.book(on(window, MONDAY), { contact_name, contact_number: NUMBER, ...changes });
const idOf = () => clinic.app.services.contactIds.idOf(clinic.organisationId, NUMBER) ?? "";
const page = async () =>
  (await staff.ask("GET", `/dashboard/api/contacts/${idOf()}`)).json as unknown as ContactPageData;
const post = (act: "rename" | "merge", body: object) =>
  staff.ask("POST", `/dashboard/api/contacts/${idOf()}/${act}`, body);
/** A name in any spelling of case and spaces. */
const spelled = (name: string) => name.toLowerCase().replaceAll(/\s+/g, " ");
const person = async (name: string) =>
  (await page()).people.find(({ names }) => names.some((each) => spelled(each) === spelled(name)))!;
const namesOf = async () => (await page()).people.map(({ names }) => names.join(", ")).toSorted();

test("a person gets a new name in calls, appointments and on the waiting list; the family keeps theirs", async () => {
  await book("Mira Iyer");
  await book("Ravi Iyer", { contact_identifiers: MRN("7") });
  const called = await clinic.schedule({ user_number: NUMBER, user_name: "mira  iyer" });
  await clinic.request("POST", "/v1/waitlist", {
    body: { branch_id: BRANCH, contact_number: NUMBER, contact_name: "Mira Iyer" },
  });
  const renamed = await post("rename", { person: await person("Mira Iyer"), name: "Meera Iyer" });
  expect(renamed.json as unknown).toEqual({ calls: 1, appointments: 1, waiting: 1 });
  expect(await namesOf()).toEqual(["Meera Iyer", "Ravi Iyer"]);
  expect((await clinic.row(called)).contact_name).toBe("Meera Iyer");
  const found = await staff.ask("POST", "/dashboard/api/contacts/search", { text: "Meera" });
  expect(found.text).toContain(NUMBER);
  expect((await staff.ask("POST", "/dashboard/api/contacts/search", { text: "Mira" })).text).not.toContain(NUMBER);
  expect(await clinic.actionsOnRecord()).toContain("contact.renamed");
  await settle();
  expect((await clinic.newEvents()).map(({ type }) => type)).toContain("appointment.updated");
});

test("namesakes of one number with different identifiers stay apart", async () => {
  await book("Ravi Iyer", { contact_identifiers: MRN("7") });
  await book("Ravi Iyer", { contact_identifiers: MRN("8") });
  const [seven] = (await page()).people.filter(({ identifiers }) => identifiers[0]?.value === "7");
  expect((await post("rename", { person: seven, name: "Ravi Iyer senior" })).status).toBe(200);
  const people = (await page()).people.map(({ names, identifiers }) => `${identifiers[0]?.value}: ${names.join(", ")}`);
  expect(people.toSorted()).toEqual(["7: Ravi Iyer senior", "8: Ravi Iyer"]);
});

test("somebody without a name gets one", async () => {
  const { appointment_id } = await book(null);
  expect((await post("rename", { person: { names: [], identifiers: [] }, name: "Meera" })).status).toBe(200);
  const { json } = await clinic.request("GET", `/v1/appointments/${appointment_id}`);
  expect(json.data).toMatchObject({ contact_name: "Meera" });
});

test("a merge gives both the name of one, and keeps identifiers, appointments and consents", async () => {
  await book("R. Iyer");
  await book("Ravi Iyer", { contact_identifiers: MRN("7") });
  await staff.ask("POST", `/dashboard/api/contacts/${idOf()}/consents`, { purpose: "promotional", basis: "spoken" });
  const before = await page();
  const body = { person: await person("R. Iyer"), into: await person("Ravi Iyer") };
  expect((await post("merge", body)).json as unknown).toEqual({ calls: 0, appointments: 1, waiting: 0 });
  const after = await page();
  expect(after.people).toEqual([{ names: ["Ravi Iyer"], identifiers: MRN("7") }]);
  expect(after.appointments.length).toBe(before.appointments.length);
  expect(after.consents).toEqual(before.consents);
  expect(await clinic.actionsOnRecord()).toContain("contact.merged");
});

test("two people whose identifiers differ are never merged, nor is anybody renamed into another", async () => {
  await book("Mira Iyer", { contact_identifiers: MRN("7") });
  await book("Ravi Iyer", { contact_identifiers: MRN("8") });
  const [mira, ravi] = [await person("Mira Iyer"), await person("Ravi Iyer")];
  expect((await post("merge", { person: mira, into: ravi })).status).toBe(409);
  expect((await post("rename", { person: mira, name: "ravi iyer" })).status).toBe(409);
  expect(await namesOf()).toEqual(["Mira Iyer", "Ravi Iyer"]);
});

test("who changed since the page was loaded is refused", async () => {
  await book("Mira Iyer");
  const shown = await person("Mira Iyer");
  await post("rename", { person: shown, name: "Meera Iyer" });
  expect((await post("rename", { person: shown, name: "Someone" })).status).toBe(409);
  const viewer = await signedIn(clinic.app, clinic.organisationId, "viewer");
  const path = `/dashboard/api/contacts/${idOf()}/rename`;
  expect((await viewer.ask("POST", path, { person: await person("Meera Iyer"), name: "No" })).status).toBe(403);
});
