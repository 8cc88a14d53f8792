// Work of the racers on calls and their events.
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { addDoNotDisturb } from "../../../src/calls/people/do-not-disturb-store.ts";
import { bookableSlot } from "../../../src/calendar/booking.ts";
import { insertNote } from "../../../src/calls/people/contact-note-store.ts";
import { insertCall } from "../../../src/calls/call/store.ts";
import { DAY_MS, systemClock } from "../../../src/core/clock.ts";
import type { Call } from "../../../src/calls/call/records.ts";
import { until } from "../../support/until.ts";
import { against, oneAgainst, onceAmid, subjectOf, within, type Work } from "./work.ts";

const dial: Work = async ({ dispatcher }) => void (await dispatcher.runDue());

const publish = within((tx, { services }, { organisationId }) =>
  services.outbox.publish(tx, { organisationId, type: "call.completed", data: {}, orderKey: "one call" }),
);

/** Somebody who is written about: a call, a note and an appointment in one command, which name the writer. */
export interface WrittenAbout {
  number: string;
  call: Call;
  slot: string;
  personId: string;
}

/** Somebody of whom nothing is known but a note, and who is called now. */
export interface KnownAgain {
  call: Call;
  noteId: string;
}

const TEN_YEARS_DAYS = 3_650;

export const CALL_WORKS = {
  again: ({ services }, { organisationId, subject }) =>
    services.callAgain.one(organisationId, subject, null, CLI_ACTOR),
  /** Told with it: whether the call was under way by then. */
  undisturbed: against(
    within(async (tx, _, race, i) => {
      const { id, contact_number } = subjectOf<Call>(race, i);
      await addDoNotDisturb(tx, race.organisationId, contact_number, systemClock.now(), {
        source: "call",
        callId: null,
      });
      const call = await tx.selectFrom("calls").select("state").where("id", "=", id).executeTakeFirstOrThrow();
      return call.state === "initiated" ? `late ${id}` : `in time ${id}`;
    }),
    dial,
  ),
  /** Told of what was written, however it came out. */
  end: async ({ carrier, woken }, { subject }) => {
    const before = woken();
    carrier.complete(subject);
    await until(() => woken() > before);
  },
  /** Dials under the rules; each call ends at once, so that the next one to the same number may begin. */
  dialLawfully: async ({ lawful }) => {
    const before = lawful.carrier.dialled.length;
    await lawful.dispatcher.runDue();
    const begun = lawful.carrier.dialled.slice(before).map(({ callId }) => callId);
    for (const callId of begun.filter((id) => lawful.carrier.live.has(id))) {
      const ends = lawful.ends();
      lawful.carrier.fail(callId);
      await until(() => lawful.ends() > ends);
    }
    return begun.join(" ") || "nothing";
  },
  postponeOrDial: against(
    ({ services }, race, i) =>
      services.callEdit(
        race.organisationId,
        subjectOf<Call>(race, i).id,
        { scheduled_time: new Date(systemClock.now() + DAY_MS).toISOString() },
        CLI_ACTOR,
      ),
    dial,
  ),
  cancelOrDial: against(
    ({ services }, race, i) => services.calls.cancel(race.organisationId, subjectOf<Call>(race, i).id, CLI_ACTOR),
    dial,
  ),
  switchOff: onceAmid(
    ({ services }, { organisationId, subject }) => services.endpoints.disable(organisationId, subject, CLI_ACTOR),
    publish,
  ),
  removeEndpoint: onceAmid(
    ({ services }, { organisationId, subject }) => services.endpoints.remove(organisationId, subject, CLI_ACTOR),
    publish,
  ),
  share: ({ services }, { organisationId, subject }) => services.shares.tokenFor(organisationId, subject),

  /** Whoever calls them is told whether the note was there. */
  forgetOrCall: against(
    ({ services }) => services.erasure.enforceRetention(TEN_YEARS_DAYS, CLI_ACTOR, systemClock.now()),
    within(async (tx, { services }, race, i) => {
      const { call, noteId } = subjectOf<KnownAgain>(race, i);
      await insertCall(tx, { ...call, id: services.ids.next("call") });
      const note = await tx.selectFrom("contact_notes").select("id").where("id", "=", noteId).executeTakeFirst();
      return note ? "there" : "gone";
    }),
  ),
  eraseOrShare: against(
    ({ services }, race, i) => services.erasure.erase(race.organisationId, subjectOf<string>(race, i), CLI_ACTOR),
    async ({ services }, race, i) => {
      await services.shares.tokenFor(race.organisationId, subjectOf<string>(race, i));
      return "asked";
    },
  ),
  eraseOrWrite: oneAgainst(
    async ({ services }, race, i) => {
      await services.erasure.eraseContact(race.organisationId, subjectOf<WrittenAbout>(race, i).number, CLI_ACTOR);
      return "erased";
    },
    within(async (tx, { services }, race, i) => {
      const { number, call, slot, personId } = subjectOf<WrittenAbout>(race, i);
      const [contact_name, created_at] = [`writer ${race.racer}`, systemClock.now()];
      await insertCall(tx, { ...call, id: services.ids.next("call"), contact_name });
      await insertNote(tx, {
        id: services.ids.next("note"),
        organisation_id: race.organisationId,
        contact_number: number,
        text: contact_name,
        person_id: personId,
        created_at,
      });
      const { within: appointments } = services.appointments;
      const place = await bookableSlot(tx, systemClock, race.organisationId, slot);
      const contact = { contact_name, contact_number: number };
      await appointments.book(tx, race.organisationId, place, contact, "api", CLI_ACTOR);
    }),
  ),
} satisfies Record<string, Work>;
