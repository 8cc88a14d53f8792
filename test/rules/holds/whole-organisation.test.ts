// A hold on the whole organisation: every eraser waits for it, another organisation's do not, and the next sweep after
// the release goes on.
import { afterEach, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { DAY_MS, toIso } from "../../../src/core/clock.ts";
import { AppError } from "../../../src/core/errors.ts";
import type { Tables } from "../../../src/db/tables.ts";
import { campaignMeaning, personMeaning } from "../../../src/campaigns/records.ts";
import { BRANCH, createClinic, MONDAY, on, type Clinic } from "../../calendar/clinic.ts";
import { campaignRow, listedRow } from "../../support/campaign-rows.ts";
import { CONTACT_NUMBER } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";

const NOTED_NUMBER = "+919810077777";
/** Retention of everything; of recordings shorter. */
const SETTINGS = {
  RINGWARD_RETENTION__DAYS: "20",
  RINGWARD_RECORDINGS__KEEP_DAYS: "2",
  RINGWARD_WEBHOOKS__KEEP_DAYS: "1",
};

let clinic: Clinic;
afterEach(() => clinic.close());

async function start(): Promise<void> {
  clinic = await createClinic({ settings: SETTINGS });
  await clinic.app.start();
}

async function talked(): Promise<string> {
  const callId = await clinic.dial();
  clinic.carrier.talk(callId);
  await settle();
  return callId;
}

async function hold(until: string | null = null, key?: string): Promise<string> {
  const body = { subject: "organisation", reason: "Inspection", until };
  const answer = await clinic.request("POST", "/v1/retention-holds", { body, ...(key !== undefined && { key }) });
  expect(answer.status).toBe(201);
  return (answer.json.data as unknown as { hold_id: string }).hold_id;
}
const release = (id: string) =>
  clinic.request("POST", `/v1/retention-holds/${id}/release`, { body: { reason: "It is over." } });

/** Code and end of a refusal, or "done". */
const refusal = (act: Promise<unknown>): Promise<unknown> =>
  act.then(
    () => "done",
    (error: unknown) => (error instanceof AppError ? [error.code, error.until] : String(error)),
  );
const later = (days: number) => clinic.clock.now() + days * DAY_MS;
const rows = async (table: keyof Tables) =>
  (
    await clinic.db.reader
      .selectFrom(table)
      .select((eb) => eb.lit(1).as("one"))
      .execute()
  ).length;
const people = async (table: "appointments" | "contact_notes" | "waiting_list" | "campaign_rows") =>
  (await clinic.db.reader.selectFrom(table).select("contact_number").execute()).filter(
    ({ contact_number }) => contact_number !== null,
  ).length;

/** Everything that a sweep could erase. */
async function everything(): Promise<{ callId: string; campaignId: string; recording: string }> {
  const { app, db, organisationId, agentId } = clinic;
  const callId = await talked();
  const { recordings, contactNotes, waitingList } = app.services;
  const name = recordings.newName();
  writeFileSync(recordings.pathOf(name), "audio");
  await clinic.book(on(await clinic.createWindow(), MONDAY), { contact_number: CONTACT_NUMBER });
  const wish = { branch_id: BRANCH, contact_name: "Kamala", contact_number: CONTACT_NUMBER };
  const { waiting_id } = await waitingList.add(organisationId, wish, "dashboard", CLI_ACTOR);
  await waitingList.remove(organisationId, waiting_id, CLI_ACTOR);
  // A note about a person without any call, and an event about a person alone.
  const asha = { email: "a@example.test", name: "Asha", role: "staff" as const, password: "correct horse battery" };
  const { person_id } = await app.services.people.create(organisationId, asha, CLI_ACTOR);
  await contactNotes.add(organisationId, NOTED_NUMBER, "Hard of hearing.", person_id, CLI_ACTOR);
  const agreed = { contact_number: NOTED_NUMBER, purpose: "service", basis: "verbal" };
  expect((await clinic.request("POST", "/v1/consents", { body: agreed })).status).toBe(201);
  const campaign = campaignRow({ organisation_id: organisationId, agent_id: agentId, state: "finished" });
  await db.write(async (tx) => {
    await tx.updateTable("calls").set({ recording_file: name }).where("id", "=", callId).execute();
    await tx.insertInto("campaigns").values(campaignMeaning.write(campaign)).execute();
    const row = listedRow({ row_number: 1, contact_number: CONTACT_NUMBER, state: "done" });
    await tx.insertInto("campaign_rows").values(personMeaning.write(row)).execute();
    await tx.updateTable("deliveries").set({ state: "delivered", is_head: 0 }).execute();
  });
  return { callId, campaignId: campaign.id, recording: recordings.pathOf(name) };
}

async function sweep(now: number): Promise<void> {
  await clinic.app.services.retention.run(now);
  await clinic.app.services.eventHistory.run(now);
  await clinic.app.services.reminderRetention.run(now);
}

test("every eraser waits and says until when, and the next sweep after the release goes on", async () => {
  await start();
  const { callId, campaignId, recording } = await everything();
  const until = later(400);
  const id = await hold(toIso(until));
  const kept = async () => ({
    calls: await rows("calls"),
    appointments: await people("appointments"),
    waiting: await people("waiting_list"),
    notes: await people("contact_notes"),
    list: await people("campaign_rows"),
    events: (await rows("events")) > 0,
    recording: existsSync(recording),
  });
  const before = { calls: 1, appointments: 1, waiting: 1, notes: 1, list: 1, events: true, recording: true };
  expect(await kept()).toEqual(before);
  const events = await rows("events");

  const { erasure, campaigns, contactNotes } = clinic.app.services;
  const { organisationId } = clinic;
  const refused = ["RETENTION_HOLD", until];
  expect(await refusal(erasure.erase(organisationId, callId, CLI_ACTOR))).toEqual(refused);
  expect(await refusal(erasure.eraseContact(organisationId, CONTACT_NUMBER, CLI_ACTOR))).toEqual(refused);
  // Nothing is stored about this person but a note and a consent.
  expect(await refusal(erasure.eraseContact(organisationId, NOTED_NUMBER, CLI_ACTOR))).toEqual(refused);
  expect(await refusal(campaigns.erase(organisationId, campaignId, CLI_ACTOR))).toEqual(refused);
  const [note] = await contactNotes.list(organisationId, NOTED_NUMBER);
  const remove = contactNotes.remove(organisationId, NOTED_NUMBER, note?.note_id ?? "", true, CLI_ACTOR);
  expect(await refusal(remove)).toEqual(refused);
  const deleted = await clinic.request("DELETE", `/v1/calls/${callId}`);
  expect([deleted.status, deleted.json]).toEqual([
    409,
    { error: expect.objectContaining({ code: "RETENTION_HOLD", until: toIso(until) }) as object } as never,
  ]);
  await sweep(later(60));
  expect([await kept(), await rows("events")]).toEqual([before, events]);

  await release(id);
  await sweep(later(62));
  expect(await kept()).toEqual({
    calls: 0,
    appointments: 0,
    waiting: 0,
    notes: 0,
    list: 0,
    events: false,
    recording: false,
  });
});

test("the hold of another organisation holds nothing here", async () => {
  await start();
  await everything();
  const { key } = await clinic.neighbour();
  await hold(null, key);
  await sweep(later(60));
  expect([await rows("calls"), await people("contact_notes"), await rows("events")]).toEqual([0, 0, 0]);
});

test("set while a person with many calls is erased: what is left stays, and the answer says so", async () => {
  await start();
  const callId = await talked();
  await copies(callId, 250);
  const { erasure } = clinic.app.services;
  const { write } = clinic.db;
  let id = "";
  // The hold is added when the first batch of 200 is gone.
  clinic.db.write = async (work) => {
    const done = await write.call(clinic.db, work);
    clinic.db.write = write;
    id = await hold();
    return done as never;
  };
  const answer = await refusal(erasure.eraseContact(clinic.organisationId, CONTACT_NUMBER, CLI_ACTOR));
  const left = await rows("calls");
  expect([answer, left]).toEqual([["RETENTION_HOLD", null], 51]);
  expect(await refusal(erasure.eraseContact(clinic.organisationId, CONTACT_NUMBER, CLI_ACTOR))).toEqual(answer);
  await sweep(later(60));
  expect(await rows("calls")).toBe(left);
  await release(id);
  expect(await refusal(erasure.eraseContact(clinic.organisationId, CONTACT_NUMBER, CLI_ACTOR))).toBe("done");
  expect(await rows("calls")).toBe(0);
}, 180_000);

/** Copies of a finished call, for the same person. */
async function copies(callId: string, count: number): Promise<void> {
  const { db } = clinic;
  const call = await db.reader.selectFrom("calls").selectAll().where("id", "=", callId).executeTakeFirstOrThrow();
  const ids = Array.from({ length: count }, (_, i) => `${callId}-${i}`);
  for (let at = 0; at < count; at += 50) {
    const some = ids.slice(at, at + 50).map((id) => ({ ...call, id, recording_file: null }));
    await db.write((tx) => tx.insertInto("calls").values(some).execute());
  }
}
