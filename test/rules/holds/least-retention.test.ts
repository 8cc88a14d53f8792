// The least retention: younger records are erased by no route and no job, and the answer says until when.
import { afterEach, describe, expect, test } from "bun:test";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../../../src/core/actor.ts";
import { AppError } from "../../../src/core/errors.ts";
import { DAY_MS, toIso } from "../../../src/core/clock.ts";
import { campaignMeaning, personMeaning } from "../../../src/campaigns/records.ts";
import { createClinic, MONDAY, on, type Clinic } from "../../calendar/clinic.ts";
import { campaignRow, listedRow } from "../../support/campaign-rows.ts";
import { CONTACT_NUMBER } from "../../support/hospital.ts";
import { settle } from "../../support/manual-clock.ts";
import type { Answer } from "../../support/test-app.ts";

let clinic: Clinic;
afterEach(() => clinic.close());

async function start(settings: Record<string, string> = {}): Promise<void> {
  clinic = await createClinic({ settings });
  await clinic.app.start();
}

async function talked(): Promise<string> {
  const callId = await clinic.dial({ user_number: CONTACT_NUMBER });
  clinic.carrier.talk(callId);
  await settle();
  return callId;
}

const erase = (callId: string) => clinic.request("DELETE", `/v1/calls/${callId}`);
const eraseContact = (organisationId = clinic.organisationId) =>
  clinic.app.services.erasure.eraseContact(organisationId, CONTACT_NUMBER, CLI_ACTOR);
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

async function noted(at: number, id = "note_1"): Promise<void> {
  const { organisationId, app, db } = clinic;
  const [author] = await db.reader.selectFrom("people").select("id").execute();
  const account = { email: `${id}@example.test`, name: "Nurse", role: "staff", password: "correct horse battery" };
  const { person_id } = author
    ? { person_id: author.id }
    : await app.services.people.create(organisationId, account, CLI_ACTOR);
  const note = { organisation_id: organisationId, contact_number: CONTACT_NUMBER, text: "Hard of hearing." };
  await db.write((tx) =>
    tx
      .insertInto("contact_notes")
      .values({ id, ...note, person_id, created_at: at })
      .execute(),
  );
}

/** A finished campaign whose list has the number. */
const listed = (at: number) =>
  clinic.db.write(async (tx) => {
    const { organisationId: organisation_id, agentId: agent_id } = clinic;
    const campaign = campaignRow({ organisation_id, agent_id, state: "finished", updated_at: at, finished_at: at });
    await tx.insertInto("campaigns").values(campaignMeaning.write(campaign)).execute();
    await tx
      .insertInto("campaign_rows")
      .values(personMeaning.write(listedRow({ state: "done" })))
      .execute();
  });

describe("the least retention", () => {
  test("is off by default", async () => {
    await start();
    expect((await erase(await talked())).status).toBe(200);
  });

  test("refuses younger calls and people until it is over, and raises retention.days", async () => {
    await start({ RINGWARD_RETENTION__LEAST_DAYS: "10" });
    const callId = await talked();
    const { finished_at } = await clinic.row(callId);
    const until = (finished_at ?? 0) + 10 * DAY_MS;
    expect(refused(await erase(callId))).toEqual([409, "RETENTION_HOLD", toIso(until)]);
    expect(await codeOf(eraseContact())).toBe("RETENTION_HOLD");
    expect(await retain(1, until - 1)).toMatchObject({ calls: 0 });
    expect(await retain(1, until)).toMatchObject({ calls: 1 });
  });

  test("refuses a person with a younger appointment", async () => {
    await start({ RINGWARD_RETENTION__LEAST_DAYS: "10" });
    await clinic.book(on(await clinic.createWindow(), MONDAY), { contact_number: CONTACT_NUMBER });
    expect(await codeOf(eraseContact())).toBe("RETENTION_HOLD");
  });

  test.each(["list", "note"] as const)("refuses a person with a younger %s", async (kind) => {
    await start({ RINGWARD_RETENTION__LEAST_DAYS: "10" });
    if (kind === "list") await listed(inDays(-3));
    else await noted(inDays(-3));
    expect(await codeOf(eraseContact())).toBe("RETENTION_HOLD");
    // Another organisation's record of the number does not count.
    const { organisationId } = await clinic.neighbour();
    expect(await codeOf(eraseContact(organisationId))).toBe("done");
    const old = inDays(-11);
    await clinic.db.write(async (tx) => {
      await tx.updateTable("campaigns").set({ updated_at: old }).execute();
      await tx.updateTable("contact_notes").set({ created_at: old }).execute();
    });
    expect(await codeOf(eraseContact())).toBe("done");
  });

  test("keeps younger notes when the last call goes, and when notes without a call are forgotten", async () => {
    await start({ RINGWARD_RETENTION__LEAST_DAYS: "10" });
    const callId = await talked();
    await clinic.db.write((tx) =>
      tx
        .updateTable("calls")
        .set({ finished_at: inDays(-11) })
        .where("id", "=", callId)
        .execute(),
    );
    await noted(inDays(-11), "note_old");
    await noted(inDays(-3), "note_young");
    const notes = async () =>
      (await clinic.db.reader.selectFrom("contact_notes").select("id").execute()).map(({ id }) => id);
    expect((await erase(callId)).status).toBe(200);
    expect(await notes()).toEqual(["note_young"]);
    await retain(1, inDays(7) - 1);
    expect(await notes()).toEqual(["note_young"]);
    await retain(1, inDays(7));
    expect(await notes()).toEqual([]);
  });

  test("keeps events longer than webhooks.keep_days", async () => {
    await start({ RINGWARD_RETENTION__LEAST_DAYS: "10", RINGWARD_WEBHOOKS__KEEP_DAYS: "1" });
    await clinic.subscribe();
    await talked();
    await clinic.db.write((tx) => tx.updateTable("deliveries").set({ state: "delivered" }).execute());
    const events = async () => (await clinic.db.reader.selectFrom("events").select("id").execute()).length;
    const before = await events();
    expect(before).toBeGreaterThan(0);
    await clinic.app.services.eventHistory.run(inDays(9));
    expect(await events()).toBe(before);
    await clinic.app.services.eventHistory.run(inDays(11));
    expect(await events()).toBe(0);
  });

  test("lets a call go by DELETE when it is over", async () => {
    await start({ RINGWARD_RETENTION__LEAST_DAYS: "10" });
    const callId = await talked();
    await clinic.db.write((tx) =>
      tx
        .updateTable("calls")
        .set({ finished_at: inDays(-11) })
        .where("id", "=", callId)
        .execute(),
    );
    expect((await erase(callId)).status).toBe(200);
  });
});
