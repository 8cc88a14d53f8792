// Races of erasure against writers: the data of one command is kept completely, because it came later, or erased
// completely.
import { describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import type { Call } from "../../../src/calls/call/records.ts";
import { newPerson } from "./account-races.ts";
import type { KnownAgain, WrittenAbout } from "./call-works.ts";
import {
  callsOf,
  db,
  newAgent,
  newCalls,
  newOrganisation,
  newSlot,
  numberOf,
  ROUNDS,
  services,
  team,
} from "./ground.ts";

const FINISHED: Partial<Call> = { state: "completed", next_at: 0, completed_at: 1, finished_at: 1 };

/** Who wrote what is still there of a person: in calls, in notes, in appointments. */
async function writersOf(organisationId: string, number: string): Promise<string[][]> {
  const [calls, notes, appointments] = [
    await db.reader
      .selectFrom("calls")
      .select("contact_name as writer")
      .where("organisation_id", "=", organisationId)
      .where("contact_number", "=", number)
      .execute(),
    await db.reader
      .selectFrom("contact_notes")
      .select("text as writer")
      .where("organisation_id", "=", organisationId)
      .where("contact_number", "=", number)
      .execute(),
    await db.reader
      .selectFrom("appointments")
      .select("contact_name as writer")
      .where("organisation_id", "=", organisationId)
      .where("contact_number", "=", number)
      .execute(),
  ];
  return [calls, notes, appointments].map((rows) => rows.map(({ writer }) => String(writer)).toSorted());
}

export function erasureRaces(): void {
  describe("erasure", () => {
    test("of a person who is written about meanwhile: each command is gone whole, or came after", async () => {
      const organisationId = await newOrganisation();
      const { agentId } = await newAgent(organisationId);
      const slot = await newSlot(organisationId, { ai_slots: 0, max_slots: 100 });
      const { id: personId } = await newPerson(organisationId, "staff");
      const before = await newCalls(organisationId, agentId, ROUNDS, { ...FINISHED, contact_name: "before" });
      // Of every second person's calls some are still to come, so that they are not erased.
      const subjects = before.map((call, i): WrittenAbout => {
        const toCome = { state: "scheduled" as const, finished_at: null, scheduled_at: Date.now() + 86_400_000 };
        const written = i % 2 === 0 ? call : { ...call, ...toCome, next_at: toCome.scheduled_at };
        return { number: numberOf(i), call: written, slot, personId };
      });
      const subject = JSON.stringify(subjects);
      const told = await team.race({ work: "eraseOrWrite", organisationId, subject, times: ROUNDS, atOnce: ROUNDS });
      for (const [i, { number }] of subjects.entries()) {
        const [calls, notes, appointments] = await writersOf(organisationId, number);
        const isErased = told.outcomes[0]?.[i] === "erased";
        expect([isErased, told.outcomes[0]?.[i]]).toEqual([isErased, isErased ? "erased" : "CONFLICT"]);
        // The calls that ended before are erased in any case.
        expect([calls?.filter((writer) => writer !== "before"), notes]).toEqual([appointments, appointments]);
        if (isErased) expect(calls).not.toContain("before");
        if (i % 2 === 0) expect(isErased).toBe(true);
      }
    });

    test("of notes without calls: notes stay if the person was called again meanwhile", async () => {
      const organisationId = await newOrganisation();
      const { id: person_id } = await newPerson(organisationId, "staff");
      const justNow = { ...FINISHED, completed_at: Date.now(), finished_at: Date.now() };
      const ended = await newCalls(organisationId, (await newAgent(organisationId)).agentId, ROUNDS, justNow);
      const known = ended.map((call, i): KnownAgain => {
        const contact_number = numberOf(ROUNDS + i);
        return { call: { ...call, contact_number }, noteId: services.ids.next("note") };
      });
      const notes = known.map(({ call: { contact_number }, noteId }) => ({
        id: noteId,
        organisation_id: organisationId,
        contact_number,
        text: "hard of hearing",
        person_id,
        created_at: 0,
      }));
      await db.write(async (tx) => void (await tx.insertInto("contact_notes").values(notes).execute()));
      const race = { organisationId, subject: JSON.stringify(known), times: ROUNDS, atOnce: ROUNDS };
      const { outcomes } = await team.race({ work: "forgetOrCall", ...race });
      const left = await db.reader
        .selectFrom("contact_notes")
        .select("id")
        .where("organisation_id", "=", organisationId)
        .execute();
      const there = known.map(({ noteId }) => (left.some(({ id }) => id === noteId) ? "there" : "gone"));
      expect([outcomes[1], outcomes[3]]).toEqual([there, there]);
    });

    test("of a call: once, and no link to it is left", async () => {
      const organisationId = await newOrganisation();
      await services.shares.configure(organisationId, { enabled: true }, CLI_ACTOR);
      const calls = await newCalls(organisationId, (await newAgent(organisationId)).agentId, ROUNDS, FINISHED);
      const subject = JSON.stringify(calls.map(({ id }) => id));
      const told = await team.race({ work: "eraseOrShare", organisationId, subject, times: ROUNDS, atOnce: ROUNDS });
      const erasers = [told.outcomes[0] ?? [], told.outcomes[2] ?? []];
      expect(calls.map((_, i) => erasers.map((outcomes) => String(outcomes[i])).toSorted())).toEqual(
        calls.map(() => ["NOT_FOUND", "done"]),
      );
      expect(await callsOf(organisationId)).toEqual([]);
      const ofThis = (table: "call_shares" | "erased_calls") =>
        db.reader.selectFrom(table).select("call_id").where("organisation_id", "=", organisationId).execute();
      expect([(await ofThis("call_shares")).length, (await ofThis("erased_calls")).length]).toEqual([0, ROUNDS]);
    });
  });
}
