// Contacts: found in any notation of their number, with all of their data, and erased completely.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createContactIds } from "../../src/calls/people/contact-ids.ts";
import type { ContactPageData, FoundContact } from "../../src/dashboard/contact-page.ts";
import { contactQuestion } from "../../src/rights/contact-question.ts";
import { createClinic, MONDAY, on, type Clinic } from "../calendar/clinic.ts";
import { settle } from "../support/manual-clock.ts";
import { signedIn, type Visitor } from "../support/dashboard.ts";

const NUMBER = "+919876512345";

let clinic: Clinic;
const people: Record<string, Visitor> = {};

beforeAll(async () => {
  clinic = await createClinic({ logged: true });
  await clinic.app.start();
  for (const role of ["viewer", "staff", "owner"] as const)
    people[role] = await signedIn(clinic.app, clinic.organisationId, role);
  const id = await clinic.dial({ user_number: NUMBER, user_name: "Lata 100%_Iyer" });
  clinic.carrier.talk(id);
  await settle();
  await clinic.book(on(await clinic.createWindow(), MONDAY), { contact_number: NUMBER, contact_name: "L. Iyer" });
  await clinic.schedule({ user_number: "+912244556677", user_name: "Somebody Else" });
}, 180_000);
afterAll(() => clinic.close());

const ask = (role: string, method: string, path: string, body?: unknown) =>
  people[role]!.ask(method, `/dashboard/api/contacts/${path}`, body);
const search = async (text: string) =>
  (await ask("viewer", "POST", "search", { text })).json as unknown as FoundContact[];
const pageOf = async (id: string) => (await ask("viewer", "GET", id)).json as unknown as ContactPageData;

describe("a search", () => {
  test.each([
    "+91 98765 12345",
    "098765 12345",
    "0091-98765-12345",
    "98765 12345",
    "(98765) 12345",
    "9876512345",
    "12345",
    "lata",
    "100%",
    "%_I",
    "L. Iyer",
    MONDAY,
    MONDAY.split("-").toReversed().join("."),
  ])("for %j finds the person", async (text) => {
    expect((await search(text)).map(({ number }) => number)).toEqual([NUMBER]);
  });

  test.each(["Lat_", "100_", "%%", "apt_unknown", "2020-01-01", "55555"])("for %j finds no one", async (text) => {
    expect(await search(text)).toEqual([]);
  });

  test("for nothing shows the most recently called people, with their next event", async () => {
    const found = await search("");
    expect(found.map(({ number }) => number)).toEqual(["+912244556677", NUMBER]);
    expect(found[1]).toMatchObject({ name: "Lata 100%_Iyer", next_appointment: { date: MONDAY } });
  });
});

test("dates and numbers are distinguished", () => {
  expect(contactQuestion("16.11.2026")).toEqual({ kind: "day", date: "2026-11-16" });
  expect(contactQuestion("1/2/2026")).toEqual({ kind: "day", date: "2026-02-01" });
  expect(contactQuestion("31.02.2026")).toEqual({ kind: "number", digits: "31022026" });
  expect(contactQuestion("12")).toEqual({ kind: "nobody" });
});

test("an id is opaque, resolves to its number, and is invalid elsewhere", () => {
  const ids = createContactIds(new Uint8Array(32).fill(3));
  fc.assert(
    fc.property(fc.stringMatching(/^\+[1-9]\d{1,14}$/), (number) => {
      const id = ids.idOf("org_1", number)!;
      expect(id).not.toContain(number.slice(1, 9).padEnd(8, "x"));
      expect(ids.numberOf("org_1", id)).toBe(number);
      expect(ids.numberOf("org_2", id)).toBeNull();
    }),
  );
  expect(ids.idOf("org_1", "anonymous")).toBeNull();
  expect(ids.numberOf("org_1", "0".repeat(32))).toBeNull();
});

describe("a page", () => {
  test("has calls, appointments, do-not-disturb and notes, and no number is logged", async () => {
    const id = (await search(NUMBER))[0]!.contact_id!;
    const page = await pageOf(id);
    expect(page).toMatchObject({ number: NUMBER, names: ["Lata 100%_Iyer", "L. Iyer"], do_not_disturb_since: null });
    expect([page.calls.length, page.appointments.length, page.notes]).toEqual([1, 1, []]);
    expect((await ask("staff", "PUT", `${id}/do-not-disturb`, { on: true })).status).toBe(200);
    expect((await pageOf(id)).do_not_disturb_since).not.toBeNull();
    expect((await pageOf(id)).do_not_disturb_history).toMatchObject([{ change: "added", source: "dashboard" }]);
    expect((await ask("staff", "PUT", `${id}/do-not-disturb`, { on: false })).status).toBe(200);
    expect(clinic.logLines.join("\n")).not.toContain(NUMBER.slice(3));
  });

  test("keeps notes with their author; authors remove their own, owners any", async () => {
    const id = (await search(NUMBER))[0]!.contact_id!;
    expect((await ask("viewer", "POST", `${id}/notes`, { text: "No." })).status).toBe(403);
    expect((await ask("staff", "POST", `${id}/notes`, { text: "  " })).status).toBe(400);
    for (const text of ["Hard of hearing.", "Call after noon."]) await ask("staff", "POST", `${id}/notes`, { text });
    await ask("owner", "POST", `${id}/notes`, { text: "By the owner." });
    const { notes } = await pageOf(id);
    expect(notes.map(({ text, by }) => [text, by])).toEqual([
      ["By the owner.", "The owner"],
      ["Call after noon.", "The staff"],
      ["Hard of hearing.", "The staff"],
    ]);
    expect((await ask("staff", "DELETE", `${id}/notes/${notes[0]!.note_id}`)).status).toBe(403);
    expect((await ask("staff", "DELETE", `${id}/notes/${notes[1]!.note_id}`)).status).toBe(200);
    expect((await ask("owner", "DELETE", `${id}/notes/${notes[2]!.note_id}`)).status).toBe(200);
    expect((await pageOf(id)).notes).toHaveLength(1);
  });

  test("is erased with notes, worklist and appointment data; rejected while a call is pending", async () => {
    const id = (await search(NUMBER))[0]!.contact_id!;
    const failed = await clinic.dial({ user_number: NUMBER });
    clinic.carrier.fail(failed, "busy");
    await settle();
    const waiting = await clinic.schedule({ user_number: NUMBER });
    expect((await ask("staff", "POST", `${id}/erase`)).status).toBe(403);
    expect((await ask("owner", "POST", `${id}/erase`)).status).toBe(409);
    await clinic.request("POST", `/v1/calls/${waiting}/cancel`);
    const erased = await ask("owner", "POST", `${id}/erase`);
    expect([erased.status, erased.json as unknown]).toEqual([200, { calls: 3 }]);
    expect((await ask("viewer", "GET", id)).status).toBe(404);
    expect(await search("Lata")).toEqual([]);
    const { reader } = clinic.db;
    expect(await reader.selectFrom("contact_notes").selectAll().execute()).toEqual([]);
    expect(await reader.selectFrom("worklist_items").selectAll().execute()).toEqual([]);
    const [appointment] = await reader.selectFrom("appointments").selectAll().execute();
    expect(appointment).toMatchObject({ status: "confirmed", contact_name: null, contact_number: null });
  });
});

describe("consent", () => {
  const withdraw = (role: string, id: string, body: object) => ask(role, "POST", `${id}/consents/withdraw`, body);

  test("is recorded and withdrawn by staff, shown to viewers with its history, and denied to other roles", async () => {
    const id = clinic.app.services.contactIds.idOf(clinic.organisationId, "+912244556677")!;
    const agreed = { purpose: "promotional", basis: "written", granted_on: "2026-01-05", reference: "Form 7" };
    expect((await ask("viewer", "POST", `${id}/consents`, agreed)).status).toBe(403);
    expect((await withdraw("viewer", id, {})).status).toBe(403);
    expect((await ask("staff", "POST", `${id}/consents`, { ...agreed, granted_on: "2026-02-30" })).status).toBe(400);
    expect((await ask("staff", "POST", `${id}/consents`, { ...agreed, until: "2026-01-06" })).status).toBe(400);
    expect((await ask("staff", "POST", `${id}/consents`, agreed)).status).toBe(200);
    expect((await pageOf(id)).consents).toMatchObject([
      // Midnight in the organisation's time zone.
      { purpose: "promotional", status: "active", source: "dashboard", granted_at: "2026-01-04T18:30:00.000Z" },
    ]);
    expect((await withdraw("staff", id, { purpose: "promotional" })).status).toBe(200);
    const { consents, do_not_disturb_since } = await pageOf(id);
    expect(consents[0]?.history.map(({ change, by }) => [change, typeof by])).toEqual([
      ["withdrawn", "string"],
      ["granted", "string"],
    ]);
    expect(do_not_disturb_since).toBeNull();
    expect((await withdraw("staff", id, {})).status).toBe(200);
    expect(await pageOf(id)).toMatchObject({ do_not_disturb_source: "dashboard", do_not_disturb_call_id: null });
  });

  test("of a person who was never called is shown, until the person is erased", async () => {
    const number = "+919810077001";
    const { consents, contactIds } = clinic.app.services;
    const id = contactIds.idOf(clinic.organisationId, number)!;
    expect((await ask("viewer", "GET", id)).status).toBe(404);
    const grant = { contact_number: number, purpose: "service", basis: "verbal" } as const;
    await consents.grant(clinic.organisationId, grant, { kind: "cli", id: null });
    expect((await pageOf(id)).consents).toHaveLength(1);
    expect((await ask("owner", "POST", `${id}/erase`)).status).toBe(200);
    expect((await ask("viewer", "GET", id)).status).toBe(404);
  });
});
