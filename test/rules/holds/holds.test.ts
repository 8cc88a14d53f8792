// Retention holds: what must be kept is erased by no route and no job, and the answer says until when.
import { afterEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../../../src/core/actor.ts";
import { AppError } from "../../../src/core/errors.ts";
import { DAY_MS, toIso } from "../../../src/core/clock.ts";
import { campaignMeaning, personMeaning } from "../../../src/campaigns/records.ts";
import { createKeeping } from "../../../src/rules/holds/keeping.ts";
import { BRANCH, createClinic, MONDAY, on, type Clinic } from "../../calendar/clinic.ts";
import { campaignRow, listedRow } from "../../support/campaign-rows.ts";
import { CONTACT_NUMBER } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";
import type { Answer } from "../../support/test-app.ts";

const OTHER_NUMBER = "+919810054321";

let clinic: Clinic;
afterEach(() => clinic.close());

async function start(settings: Record<string, string> = {}): Promise<void> {
  clinic = await createClinic({ settings });
  await clinic.app.start();
}

async function talked(number = CONTACT_NUMBER): Promise<string> {
  const callId = await clinic.dial({ user_number: number });
  clinic.carrier.talk(callId);
  await settle();
  return callId;
}

interface HoldAnswer {
  hold_id: string;
  in_force: boolean;
}

async function hold(body: Record<string, unknown>): Promise<HoldAnswer> {
  const answer = await clinic.request("POST", "/v1/retention-holds", { body: { reason: "Case 7/2026", ...body } });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.json.data as unknown as HoldAnswer;
}
const release = (id: string) =>
  clinic.request("POST", `/v1/retention-holds/${id}/release`, { body: { reason: "The case ended." } });
const erase = (callId: string) => clinic.request("DELETE", `/v1/calls/${callId}`);
const eraseContact = (number = CONTACT_NUMBER) =>
  clinic.app.services.erasure.eraseContact(clinic.organisationId, number, CLI_ACTOR);
const refused = ({ status, json }: Answer) => {
  const { error } = json as unknown as { error?: { code: string; until?: string | null } };
  return [status, error?.code, error?.until];
};
const codeOf = (act: Promise<unknown>) =>
  act.then(
    () => "done",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
const inDays = (days: number) => clinic.clock.now() + days * DAY_MS;
const retain = (days: number, now: number) => clinic.app.services.erasure.enforceRetention(days, SYSTEM_ACTOR, now);

describe("a hold", () => {
  test("keeps a call until it is released; then the call and the hold are gone", async () => {
    await start();
    const callId = await talked();
    const { hold_id } = await hold({ subject: "call", call_id: callId });
    expect(refused(await erase(callId))).toEqual([409, "RETENTION_HOLD", null]);
    expect(await codeOf(eraseContact())).toBe("RETENTION_HOLD");
    expect((await release(hold_id)).json.data).toMatchObject({ in_force: false, release_reason: "The case ended." });
    expect((await erase(callId)).status).toBe(200);
    expect(await clinic.db.reader.selectFrom("retention_holds").selectAll().execute()).toEqual([]);
    expect(await clinic.actionsOnRecord()).toEqual(
      expect.arrayContaining(["retention_hold.added", "retention_hold.released"]),
    );
  });

  test.each(["appointments", "waiting_list"] as const)(
    "on a call keeps the person for whom it made a row of %s, with another number",
    async (table) => {
      await start();
      const callId = await talked(OTHER_NUMBER);
      await clinic.book(on(await clinic.createWindow(), MONDAY), { contact_number: CONTACT_NUMBER });
      const wish = { branch_id: BRANCH, contact_name: "Kamala", contact_number: CONTACT_NUMBER };
      await clinic.app.services.waitingList.add(clinic.organisationId, wish, "dashboard", CLI_ACTOR);
      await clinic.db.write((tx) => tx.updateTable(table).set({ call_id: callId }).execute());
      const { hold_id } = await hold({ subject: "call", call_id: callId });
      expect(await codeOf(eraseContact())).toBe("RETENTION_HOLD");
      await release(hold_id);
      expect(await codeOf(eraseContact())).toBe("done");
    },
  );

  test("on a person keeps every call of that person, and no other", async () => {
    await start();
    const [theirs, other] = [await talked(), await talked(OTHER_NUMBER)];
    const until = inDays(10);
    await hold({ subject: "person", contact_number: CONTACT_NUMBER, until: toIso(until) });
    expect(refused(await erase(theirs))).toEqual([409, "RETENTION_HOLD", toIso(until)]);
    expect(await codeOf(eraseContact())).toBe("RETENTION_HOLD");
    expect((await erase(other)).status).toBe(200);
  });

  test("on the organisation keeps everything, and nothing of another organisation", async () => {
    await start();
    const callId = await talked();
    const neighbour = await clinic.neighbour();
    const body = { subject: "organisation", reason: "Audit" };
    const made = await clinic.request("POST", "/v1/retention-holds", { body, key: neighbour.key });
    expect(made.status).toBe(201);
    const foreign = (made.json.data as unknown as HoldAnswer).hold_id;
    expect((await release(foreign)).status).toBe(404);
    expect((await erase(callId)).status).toBe(200);
    const kept = await talked();
    await hold({ subject: "organisation" });
    expect(refused(await erase(kept))).toEqual([409, "RETENTION_HOLD", null]);
  });

  test("on a call of another organisation is answered like an unknown call", async () => {
    await start();
    const callId = await talked();
    const { key } = await clinic.neighbour();
    const body = { subject: "call", call_id: callId, reason: "Curious" };
    const foreign = await clinic.request("POST", "/v1/retention-holds", { body, key });
    const unknown = await clinic.request("POST", "/v1/retention-holds", { body: { ...body, call_id: "call_x" }, key });
    expect([foreign.status, (foreign.json as { error?: { message: string } }).error?.message]).toEqual([
      unknown.status,
      (unknown.json as { error?: { message: string } }).error?.message,
    ]);
    expect(foreign.status).toBe(404);
  });

  test("ends at its time, and not by a clock that is not trusted", async () => {
    await start();
    const callId = await talked();
    await hold({ subject: "call", call_id: callId, until: toIso(inDays(3)) });
    const { db, clock } = clinic;
    const record = { organisationId: clinic.organisationId, callId };
    const at = (trustedNow: () => number | null) => createKeeping({ clock, leastDays: 0, trustedNow });
    expect(await at(() => inDays(3) - 1).ofRecord(db.reader, record)).not.toBeNull();
    expect(await at(() => inDays(3)).ofRecord(db.reader, record)).toBeNull();
    clock.jump(7 * DAY_MS);
    expect(await at(() => null).ofRecord(db.reader, record)).not.toBeNull();
  });

  test("added while a person is being erased stops the erasure, or comes too late; never both", async () => {
    await start();
    const callIds = [await talked(), await talked(), await talked()];
    const [erased, held] = await Promise.all([
      codeOf(eraseContact()),
      clinic.request("POST", "/v1/retention-holds", {
        body: { subject: "call", call_id: callIds[2], reason: "Case 7/2026" },
      }),
    ]);
    const left = await clinic.db.reader.selectFrom("calls").select("id").execute();
    const isThere = left.some(({ id }) => id === callIds[2]);
    expect([erased, held.status, isThere]).toEqual(
      held.status === 201 ? ["RETENTION_HOLD", 201, true] : ["done", 404, false],
    );
  });

  test("erasing one call twice at once erases it once", async () => {
    await start();
    const callId = await talked();
    const answers = await Promise.all([erase(callId), erase(callId)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
  });

  test("keeps a note from being removed", async () => {
    await start();
    await talked();
    const { contactNotes, people } = clinic.app.services;
    const person = { email: "a@example.test", name: "Asha", role: "staff" as const, password: "correct horse battery" };
    const { person_id } = await people.create(clinic.organisationId, person, CLI_ACTOR);
    const actor = { kind: "person" as const, id: person_id };
    await contactNotes.add(clinic.organisationId, CONTACT_NUMBER, "Hard of hearing.", person_id, actor);
    const [note] = await contactNotes.list(clinic.organisationId, CONTACT_NUMBER);
    const { hold_id } = await hold({ subject: "person", contact_number: CONTACT_NUMBER });
    const remove = () => contactNotes.remove(clinic.organisationId, CONTACT_NUMBER, note?.note_id ?? "", false, actor);
    expect(await codeOf(remove())).toBe("RETENTION_HOLD");
    await release(hold_id);
    expect(await codeOf(remove())).toBe("done");
  });

  test("is refused without what it is about, with a past end, and without a reason", async () => {
    await start();
    const bad = [
      { subject: "call" },
      { subject: "person", contact_number: "12" },
      { subject: "organisation", call_id: "call_1" },
      { subject: "person", contact_number: CONTACT_NUMBER, until: toIso(inDays(-1)) },
      { subject: "organisation", reason: "  a  " },
    ];
    for (const body of bad) {
      const answer = await clinic.request("POST", "/v1/retention-holds", { body: { reason: "Case", ...body } });
      expect(refused(answer).slice(0, 2)).toEqual([400, "VALIDATION_ERROR"]);
    }
  });

  test("is listed, filtered and read by its own scope only", async () => {
    await start();
    const first = await hold({ subject: "organisation" });
    await release(first.hold_id);
    await hold({ subject: "person", contact_number: CONTACT_NUMBER });
    const ids = async (query: string) =>
      ((await clinic.request("GET", `/v1/retention-holds${query}`)).json.data as unknown as HoldAnswer[]).length;
    expect([await ids(""), await ids("?in_force=true"), await ids("?limit=1")]).toEqual([2, 1, 1]);
    const key = await clinic.newKey(["calls:read", "calls:delete"]);
    expect((await clinic.request("GET", "/v1/retention-holds", { key })).status).toBe(403);
  });
});

test("a hold in force is shown behind any number of released ones", async () => {
  await start();
  await hold({ subject: "person", contact_number: CONTACT_NUMBER, reason: "Still needed" });
  for (let i = 0; i < 21; i++) {
    const { hold_id } = await hold({ subject: "person", contact_number: CONTACT_NUMBER });
    await release(hold_id);
  }
  const shown = await clinic.app.services.holds.about(clinic.organisationId, [CONTACT_NUMBER]);
  expect(shown.map(({ reason }) => reason)).toEqual(["Still needed"]);
});

describe("retention", () => {
  test("passes over held calls, erases the others, and comes to an end", async () => {
    await start();
    const [held, free] = [await talked(), await talked(OTHER_NUMBER)];
    await hold({ subject: "call", call_id: held });
    expect(await retain(1, inDays(30))).toMatchObject({ calls: 1 });
    const left = await clinic.db.reader.selectFrom("calls").select("id").execute();
    expect(left.map(({ id }) => id)).toEqual([held]);
    expect(free).not.toBe(held);
  });

  test("passes over held appointments, waiting-list entries and rows of lists", async () => {
    await start();
    const { app, db, organisationId, agentId } = clinic;
    const window = await clinic.createWindow();
    for (const number of [CONTACT_NUMBER, OTHER_NUMBER]) {
      await clinic.book(on(window, MONDAY), { contact_name: "Kamala", contact_number: number });
      const wish = { branch_id: BRANCH, contact_name: "Kamala", contact_number: number };
      const { waiting_id } = await app.services.waitingList.add(organisationId, wish, "dashboard", CLI_ACTOR);
      await app.services.waitingList.remove(organisationId, waiting_id, CLI_ACTOR);
    }
    const campaign = campaignRow({ organisation_id: organisationId, agent_id: agentId, state: "finished" });
    await db.write(async (tx) => {
      await tx.insertInto("campaigns").values(campaignMeaning.write(campaign)).execute();
      for (const [i, contact_number] of [CONTACT_NUMBER, OTHER_NUMBER].entries())
        await tx
          .insertInto("campaign_rows")
          .values(personMeaning.write(listedRow({ row_number: i + 1, contact_number, state: "done" })))
          .execute();
    });
    const { hold_id } = await hold({ subject: "person", contact_number: CONTACT_NUMBER });
    expect(await retain(1, inDays(60))).toEqual({ calls: 0, appointments: 2, campaigns: 0 });
    const numbers = async (table: "appointments" | "waiting_list" | "campaign_rows") =>
      (await db.reader.selectFrom(table).select("contact_number").execute()).flatMap((row) => row.contact_number ?? []);
    const left = async () => [
      await numbers("appointments"),
      await numbers("waiting_list"),
      await numbers("campaign_rows"),
    ];
    expect(await left()).toEqual([[CONTACT_NUMBER], [CONTACT_NUMBER], [CONTACT_NUMBER]]);
    expect(await codeOf(app.services.campaigns.erase(organisationId, campaign.id, CLI_ACTOR))).toBe("RETENTION_HOLD");
    await release(hold_id);
    expect(await retain(1, inDays(60))).toEqual({ calls: 0, appointments: 2, campaigns: 1 });
    expect(await left()).toEqual([[], [], []]);
  });

  test("keeps the events of a held call", async () => {
    await start({ RINGWARD_WEBHOOKS__KEEP_DAYS: "1" });
    const [held, free] = [await talked(), await talked(OTHER_NUMBER)];
    await hold({ subject: "person", contact_number: CONTACT_NUMBER });
    await clinic.db.write((tx) => tx.updateTable("deliveries").set({ state: "delivered", is_head: 0 }).execute());
    await clinic.app.services.eventHistory.run(inDays(30));
    expect([(await clinic.eventsOf(held)).length > 0, (await clinic.eventsOf(free)).length]).toEqual([true, 0]);
  });

  test("keeps the events about a held person without a call", async () => {
    await start({ RINGWARD_WEBHOOKS__KEEP_DAYS: "1" });
    for (const contact_number of [CONTACT_NUMBER, OTHER_NUMBER]) {
      const body = { contact_number, purpose: "service", basis: "verbal" };
      expect((await clinic.request("POST", "/v1/consents", { body })).status).toBe(201);
    }
    await hold({ subject: "person", contact_number: CONTACT_NUMBER });
    await clinic.db.write((tx) => tx.updateTable("deliveries").set({ state: "delivered", is_head: 0 }).execute());
    await clinic.app.services.eventHistory.run(inDays(30));
    const left = await clinic.db.reader.selectFrom("events").select("contact_number").execute();
    expect(left.map(({ contact_number }) => contact_number)).toEqual([CONTACT_NUMBER]);
  });
});
