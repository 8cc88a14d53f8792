// The audit trail after an erasure: entries stay, and neither their ids nor ids stored elsewhere reveal the number.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { SYSTEM_ACTOR } from "../../src/core/actor.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import type { FoundContact } from "../../src/dashboard/contact-page.ts";
import { createClinic, MONDAY, on, type Clinic } from "../calendar/clinic.ts";
import { settle } from "../support/manual-clock.ts";
import { signedIn, type Visitor } from "../support/dashboard.ts";

const NUMBER = "+919876512345";
const OTHER = "+912244556677";

let clinic: Clinic;
let owner: Visitor;
beforeEach(async () => {
  clinic = await createClinic();
  await clinic.app.start();
  owner = await signedIn(clinic.app, clinic.organisationId, "owner");
}, 180_000);
afterEach(() => clinic.close());

const ask = (method: string, path: string, body?: unknown) =>
  owner.ask(method, `/dashboard/api/contacts/${path}`, body);

async function talkWith(number: string): Promise<string> {
  const id = await clinic.dial({ user_number: number, user_name: "Lata Iyer" });
  clinic.carrier.talk(id);
  await settle();
  return id;
}

/** Reads a person's page, as staff do, and returns the id used for them in the audit trail. */
async function readPage(number: string): Promise<string> {
  const [found] = (await ask("POST", "search", { text: number })).json as unknown as FoundContact[];
  const id = found!.contact_id!;
  expect((await ask("GET", id)).status).toBe(200);
  expect((await ask("GET", id)).status).toBe(200);
  return id;
}

async function subjects(): Promise<(string | null)[]> {
  const query = clinic.db.reader.selectFrom("audit_entries").select("subject_id");
  const rows = await query.where("action", "=", "contact.read").orderBy("at").orderBy("id").execute();
  return rows.map(({ subject_id }) => subject_id);
}

/** Every route that takes such an id. */
async function whatOpens(id: string): Promise<number[]> {
  const tries = [
    await ask("GET", id),
    await ask("PUT", `${id}/do-not-disturb`, { on: true }),
    await ask("POST", `${id}/notes`, { text: "Hello." }),
    await ask("POST", `${id}/erase`),
  ];
  expect(tries.map(({ text }) => text).join()).not.toContain(NUMBER.slice(1));
  return tries.map(({ status }) => status);
}

async function expectErased(id: string): Promise<void> {
  const left = await subjects();
  expect(left.every((subject) => subject?.startsWith("gone_"))).toBeTrue();
  // Entries of one person still share an id.
  expect([left.length, new Set(left).size]).toEqual([2, 1]);
  for (const kept of [id, left[0]!]) expect(await whatOpens(kept)).toEqual([404, 404, 404, 404]);
  expect(await clinic.db.reader.selectFrom("contact_notes").selectAll().execute()).toEqual([]);
}

test("a completely erased person is not found by an id of the audit trail, although their opt-out stays", async () => {
  await talkWith(NUMBER);
  const id = await readPage(NUMBER);
  expect((await ask("PUT", `${id}/do-not-disturb`, { on: true })).status).toBe(200);
  expect((await ask("POST", `${id}/erase`)).status).toBe(200);
  await expectErased(id);
  const wishes = await clinic.db.reader.selectFrom("do_not_disturb").select("number").execute();
  expect(wishes).toEqual([{ number: NUMBER }]);
});

test("a person is removed from the audit trail with their last call, and not before", async () => {
  const [first, last] = [await talkWith(NUMBER), await talkWith(NUMBER)];
  const id = await readPage(NUMBER);
  expect((await clinic.request("DELETE", `/v1/calls/${first}`)).status).toBe(200);
  expect(await subjects()).toEqual([id, id]);
  expect((await clinic.request("DELETE", `/v1/calls/${last}`)).status).toBe(200);
  await expectErased(id);
});

test("a person whose last appointment is past its retention is removed from the audit trail; others stay in it", async () => {
  await clinic.book(on(await clinic.createWindow(), MONDAY), { contact_number: NUMBER, contact_name: "L. Iyer" });
  const id = await readPage(NUMBER);
  await talkWith(OTHER);
  const other = await readPage(OTHER);
  const { erasure } = clinic.app.services;
  const until = Date.parse(MONDAY) + 40 * DAY_MS;
  await clinic.db.write((tx) => tx.updateTable("calls").set({ finished_at: until }).execute());
  expect(await erasure.enforceRetention(10, SYSTEM_ACTOR, until)).toMatchObject({ calls: 0, appointments: 1 });
  const left = await subjects();
  expect(left.slice(2)).toEqual([other, other]);
  expect(left.slice(0, 2).every((subject) => subject?.startsWith("gone_"))).toBeTrue();
  expect((await ask("GET", id)).status).toBe(404);
  expect((await ask("GET", other)).status).toBe(200);
});

test("entries of people erased before this version are replaced at the next start", async () => {
  await talkWith(NUMBER);
  const id = await readPage(NUMBER);
  await ask("POST", `${id}/erase`);
  await clinic.db.write((tx) =>
    tx.updateTable("audit_entries").set({ subject_id: id }).where("action", "=", "contact.read").execute(),
  );
  await clinic.app.services.erasure.resume();
  await expectErased(id);
});
