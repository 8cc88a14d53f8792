// A person's file: one archive with everything about one person, audited before its first byte.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { CLI_ACTOR } from "../../src/core/actor.ts";
import { LEFT_OUT } from "../../src/rights/person-file-store.ts";
import { openArchive } from "../../src/lists/zip.ts";
import { BRANCH, createClinic, MONDAY, on, type Clinic } from "../calendar/clinic.ts";
import { CONTACT_NUMBER } from "../support/hospital.ts";
import { settle } from "../support/manual-clock.ts";

const OTHER_NUMBER = "+919810054321";
const MARKUP = `Mīrā <script>alert("1")</script> & 'Co'`;

let clinic: Clinic;
beforeEach(async () => {
  clinic = await createClinic();
  await clinic.app.start();
});
afterEach(() => clinic.close());

async function talked(number: string, name: string): Promise<string> {
  const callId = await clinic.dial({ user_number: number, user_name: name });
  clinic.carrier.talk(callId);
  await settle();
  return callId;
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

async function fileOf(number = CONTACT_NUMBER) {
  const { organisationId, app } = clinic;
  const archive = openArchive(await bytesOf(await app.services.personFile.open(organisationId, number, CLI_ACTOR)));
  const text = async (name: string) => Buffer.from((await archive.read(name)) ?? []).toString();
  return {
    archive,
    json: JSON.parse(await text("person.json")) as Record<string, unknown>,
    html: await text("person.html"),
  };
}

test("has the person's calls, appointments, waiting-list entries and holds, and no other person's", async () => {
  const callId = await talked(CONTACT_NUMBER, "Kamala");
  await talked(OTHER_NUMBER, "Somebody-Else");
  const { app, organisationId } = clinic;
  await clinic.book(on(await clinic.createWindow(), MONDAY), {
    contact_name: "Kamala",
    contact_number: CONTACT_NUMBER,
  });
  const wish = { branch_id: BRANCH, contact_name: "Kamala", contact_number: CONTACT_NUMBER };
  await app.services.waitingList.add(organisationId, wish, "dashboard", CLI_ACTOR);
  await app.services.doNotDisturb.add(organisationId, CONTACT_NUMBER, CLI_ACTOR);
  const hold = { subject: "person" as const, contact_number: CONTACT_NUMBER, reason: "Case 7/2026" };
  await app.services.holds.add(organisationId, hold, CLI_ACTOR);
  await clinic.view(callId);
  const { json, html } = await fileOf();
  expect(json).toMatchObject({
    number: CONTACT_NUMBER,
    calls: [{ id: callId, contact_name: "Kamala", results: [{ transcript: expect.any(Array) }] }],
    appointments: [{ date: MONDAY, contact_name: "Kamala" }],
    waiting_list: [{ contact_name: "Kamala" }],
    do_not_disturb: [{ number: CONTACT_NUMBER }],
    do_not_disturb_changes: [{ change: "added", source: "cli", actor_kind: "cli" }],
    holds: [{ reason: "Case 7/2026" }],
  });
  const [call] = json["calls"] as { seen_by: { action: string; times: number }[] }[];
  expect(call?.seen_by.map(({ action }) => action)).toContain("call.read");
  expect(html).toContain("Kamala");
  expect(JSON.stringify(json) + html).not.toContain("Somebody-Else");
});

test("has the recordings, under the call's id", async () => {
  const callId = await talked(CONTACT_NUMBER, "Kamala");
  const { recordings } = clinic.app.services;
  const name = recordings.newName();
  writeFileSync(recordings.pathOf(name), "RIFF sound");
  await clinic.db.write((tx) =>
    tx.updateTable("calls").set({ recording_file: name }).where("id", "=", callId).execute(),
  );
  const { archive, json } = await fileOf();
  const sound = await archive.read(`recordings/${callId}.wav`);
  expect(Buffer.from(sound ?? []).toString()).toBe("RIFF sound");
  expect(JSON.stringify(json)).not.toContain(name);
});

test("names what is left out, such as packet captures with audio, and the calls that have one", async () => {
  const callId = await talked(CONTACT_NUMBER, "Kamala");
  const { captures } = clinic.app.services;
  const name = captures.newName();
  writeFileSync(captures.pathOf(name), "packets with sound");
  const line = { call_id: callId, trunk_id: "trk_1", trace: "[]", media: null, capture_file: name };
  await clinic.db.write((tx) => tx.insertInto("call_lines").values(line).execute());
  const { archive, json, html } = await fileOf();
  expect(json).toMatchObject({
    calls: [{ line_reports: [{ has_packet_capture: true }] }],
    left_out: expect.arrayContaining([
      { data: "packet_captures", reason: expect.stringContaining("audio") },
      { data: "idempotency_keys", reason: LEFT_OUT.idempotency_keys },
    ]),
  });
  expect(html).toMatch(/Left out 1\s*<[^]*packet_captures<[^]*audio/);
  expect(html).toMatch(/Has packet capture<[^]*true/);
  expect(JSON.stringify(json) + html).not.toContain(name);
  expect(archive.has(`recordings/${callId}.wav`)).toBeFalse();
});

test("shows markup in a name as text", async () => {
  await talked(CONTACT_NUMBER, MARKUP);
  const { html, json } = await fileOf();
  expect(html).not.toContain("<script");
  expect(html).toContain("&lt;script&gt;");
  expect(json).toMatchObject({ calls: [{ contact_name: MARKUP }] });
});

test("is audited before the first byte", async () => {
  await talked(CONTACT_NUMBER, "Kamala");
  const { organisationId, app, db } = clinic;
  const chunks = await app.services.personFile.open(organisationId, CONTACT_NUMBER, CLI_ACTOR);
  const entry = await db.reader
    .selectFrom("audit_entries")
    .selectAll()
    .where("action", "=", "contact.read")
    .executeTakeFirst();
  expect(entry).toMatchObject({ actor_kind: "cli", detail: `{"file":true}` });
  await chunks.return();
});

test("is unknown for another organisation, for a stranger's number and without the scope", async () => {
  await talked(CONTACT_NUMBER, "Kamala");
  const { key } = await clinic.neighbour();
  const ask = (body: object, more: object = {}) => clinic.request("POST", "/v1/people/file", { body, ...more });
  expect((await ask({ contact_number: CONTACT_NUMBER }, { key })).status).toBe(404);
  expect((await ask({ contact_number: OTHER_NUMBER })).status).toBe(404);
  expect((await ask({ contact_number: "98" })).status).toBe(400);
  const weak = await clinic.newKey(["calls:read"]);
  expect((await ask({ contact_number: CONTACT_NUMBER }, { key: weak })).status).toBe(403);
  const answer = await ask({ contact_number: CONTACT_NUMBER });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/zip"]);
});

test("has the events about the person alone, such as of a consent", async () => {
  const body = { contact_number: CONTACT_NUMBER, purpose: "service", basis: "verbal" };
  expect((await clinic.request("POST", "/v1/consents", { body })).status).toBe(201);
  const { json } = await fileOf();
  expect(json["events"]).toEqual([expect.objectContaining({ type: "consent.granted" })]);
});

const CALLS = 400;

/** Copies of a call, with a recording each. */
async function manyCalls(): Promise<string[]> {
  const callId = await talked(CONTACT_NUMBER, "Kamala");
  const { db, app } = clinic;
  const call = await db.reader.selectFrom("calls").selectAll().where("id", "=", callId).executeTakeFirstOrThrow();
  const result = await db.reader
    .selectFrom("call_results")
    .selectAll()
    .where("call_id", "=", callId)
    .executeTakeFirstOrThrow();
  const ids = Array.from({ length: CALLS }, (_, i) => `call_copy${String(i).padStart(4, "0")}`);
  for (let at = 0; at < CALLS; at += 50)
    await db.write(async (tx) => {
      const some = ids.slice(at, at + 50);
      const copies = some.map((id) => ({ ...call, id, recording_file: `${id}.wav`, created_at: call.created_at + 1 }));
      await tx.insertInto("calls").values(copies).execute();
      const transcript = JSON.stringify([{ speaker: "agent", text: "Namaste. ".repeat(500), timestamp: 0 }]);
      const results = some.map((call_id) => ({ ...result, call_id, transcript }));
      await tx.insertInto("call_results").values(results).execute();
    });
  for (const id of ids) writeFileSync(app.services.recordings.pathOf(`${id}.wav`), `sound of ${id}`);
  return [callId, ...ids];
}

test("of a person with many calls comes in small pieces, gives way to other work, and has each call once", async () => {
  const ids = await manyCalls();
  const chunks: Uint8Array[] = [];
  // Pieces of the file between two turns of the event loop.
  let [inThisTurn, most] = [0, 0];
  let isOver = false;
  const count = () => {
    most = Math.max(most, inThisTurn);
    inThisTurn = 0;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  for await (const chunk of await clinic.app.services.personFile.open(
    clinic.organisationId,
    CONTACT_NUMBER,
    CLI_ACTOR,
  )) {
    inThisTurn++;
    chunks.push(chunk);
  }
  isOver = true;
  expect(chunks.reduce((largest, { byteLength }) => Math.max(largest, byteLength), 0)).toBeLessThanOrEqual(64 * 1024);
  expect(most).toBeLessThan(20);
  const archive = openArchive(Buffer.concat(chunks));
  const json = JSON.parse(Buffer.from((await archive.read("person.json")) ?? []).toString()) as {
    calls: { id: string; results: unknown[] }[];
  };
  expect(json.calls.map(({ id, results }) => [id, results.length])).toEqual(ids.map((id) => [id, 1]));
  const sounds = await Promise.all(ids.slice(1).map((id) => archive.read(`recordings/${id}.wav`)));
  expect(sounds.map((sound) => Buffer.from(sound ?? []).toString())).toEqual(
    ids.slice(1).map((id) => `sound of ${id}`),
  );
}, 180_000);

test("goes on without a recording that was erased in the meantime, and leaves no file open when it is abandoned", async () => {
  const [, first = "", second = ""] = await manyCalls();
  const { personFile, recordings } = clinic.app.services;
  const chunks = await personFile.open(clinic.organisationId, CONTACT_NUMBER, CLI_ACTOR);
  const read: Uint8Array[] = [(await chunks.next()).value as Uint8Array];
  recordings.remove(`${first}.wav`);
  for await (const chunk of chunks) read.push(chunk);
  const archive = openArchive(Buffer.concat(read));
  expect([archive.has(`recordings/${first}.wav`), archive.has(`recordings/${second}.wav`)]).toEqual([false, true]);
  const folder = recordings.pathOf("");
  const open = () =>
    readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
      } catch {
        return false;
      }
    });
  const abandoned = await personFile.open(clinic.organisationId, CONTACT_NUMBER, CLI_ACTOR);
  for (;;) {
    const { value } = await abandoned.next();
    if (Buffer.from(value ?? []).includes(`recordings/${second}`)) break;
  }
  expect(open()).toHaveLength(1);
  await abandoned.return();
  expect(open()).toEqual([]);
}, 180_000);
