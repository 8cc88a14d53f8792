// Work of the racers on the calendar and the waiting list.
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { clientHold, holdForClient, releaseClientHold } from "../../../src/calendar/client-hold.ts";
import { AppError } from "../../../src/core/errors.ts";
import { createPlaceDesk } from "../../../src/waiting-list/desk.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { against, oneAgainst, onceAmid, subjectOf, takenOrNot, turnOf, type Work } from "./work.ts";

const bookSlot: Work = ({ services }, { organisationId, subject }, i) =>
  services.appointments.create(
    organisationId,
    { slot_id: subject, contact_number: "+919810012345", contact_name: `Patient ${process.pid} ${i}` },
    "api",
    CLI_ACTOR,
  );

/** An API client holds a place, then books it. */
const holdThenBook: Work = async (world, { organisationId, subject: slot_id, racer }, i) => {
  const { services, db } = world;
  const holder = { organisationId, keyId: `key_${racer}_${i}` };
  const asked = { slotId: slot_id, serviceId: null };
  const deps = { ...services, clock: systemClock };
  const { id } = await db.write((tx) => holdForClient(tx, deps, holder, asked, CLI_ACTOR));
  await services.appointments.create(
    organisationId,
    { slot_id, contact_name: `Patient ${racer} ${i}` },
    "api",
    CLI_ACTOR,
    {
      async first(tx) {
        if (!(await clientHold(tx, systemClock, holder, id))) throw new AppError("NOT_FOUND", "The hold is gone.");
        await releaseClientHold(tx, { id });
      },
    },
  );
};

const [MOST_AFTERWARDS, SOME_DATE] = [10, /\|\|(?<date>.+)$/];

const branchOf = async ({ services }: Parameters<Work>[0], organisationId: string): Promise<string> =>
  (await services.directory.branches(organisationId))[0]?.id ?? "";

/** On the waiting list, and the day that is wished for instead. */
export interface Wish {
  id: string;
  day: string;
}

export const CALENDAR_WORKS = {
  holdThenBook,
  /** Of the subject's list each try makes a move of its own. */
  move: ({ services }, race, i) => {
    const [id, slot_id] = subjectOf<[string, string]>(race, turnOf(race, i));
    return services.appointments.update(race.organisationId, id, { slot_id }, CLI_ACTOR);
  },
  /** Told with it: how many were booked at that moment. */
  narrow: onceAmid(async ({ services }, { organisationId, subject }) => {
    const input = { max_slots: MOST_AFTERWARDS, ai_slots: 0 };
    const { filled_slots } = await services.tracking.override(organisationId, subject, input, CLI_ACTOR);
    return `narrowed at ${filled_slots}`;
  }, bookSlot),
  countAnew: oneAgainst(async (world, { organisationId }) => {
    const branch_id = await branchOf(world, organisationId);
    await world.services.tracking.regenerate(organisationId, { branch_id }, CLI_ACTOR);
  }, bookSlot),
  close: onceAmid(async (world, { organisationId, subject }) => {
    const date = SOME_DATE.exec(subject)?.groups?.["date"] ?? "";
    const branch_ids = [await branchOf(world, organisationId)];
    const input = { branch_ids, ranges: [{ from: date, to: date }], otherwise: "leave" as const };
    await world.services.closures.close(organisationId, input, CLI_ACTOR);
    return "closed";
  }, bookSlot),
  closureStep: async ({ services }) => takenOrNot(await services.closureWork.step()),
  closureCalls: async ({ services }) => void (await services.closureCalls.runDue()),
  closureCallsOrErase: oneAgainst(
    async ({ services }) => void (await services.closureCalls.runDue()),
    async ({ services }, race, i) => {
      await services.erasure.eraseContact(race.organisationId, subjectOf<string>(race, i), CLI_ACTOR);
      return "erased";
    },
  ),
  archiveBranch: against(
    ({ services }, race, i) =>
      services.directory.archiveBranch(race.organisationId, subjectOf<string>(race, i), CLI_ACTOR),
    ({ services }, race, i) =>
      services.windows.create(
        race.organisationId,
        { branch_id: subjectOf<string>(race, i), day: "monday", session: "Morning", ai_slots: 1 },
        CLI_ACTOR,
      ),
  ),

  wait: ({ services }, { organisationId, subject }) =>
    services.waitingList.add(
      organisationId,
      { branch_id: subject, contact_number: "+919810012345", contact_name: "Test Patient" },
      "dashboard",
      CLI_ACTOR,
    ),
  look: async ({ services }) => void (await services.waitingLoop.runDue()),
  callNow: ({ services }, race, i) =>
    services.waitingList.callNow(race.organisationId, subjectOf<string>(race, turnOf(race, i)), CLI_ACTOR),
  /** They are called about the day that they waited for, while they ask for another one. */
  callOrChange: against(
    ({ services }, race, i) =>
      services.waitingList.callNow(race.organisationId, subjectOf<Wish>(race, i).id, CLI_ACTOR),
    ({ services }, race, i) => {
      const { id, day } = subjectOf<Wish>(race, i);
      return services.waitingList.change(race.organisationId, id, { from: day, to: day }, CLI_ACTOR);
    },
  ),
  /** One field each: what others changed meanwhile stays. */
  changeWish: ({ services }, { organisationId, subject, racer }) => {
    const [id = "", from = "", to = ""] = subject.split(" ");
    const change = [{ from }, { to }, { sessions: ["Evening" as const] }, { notes: "in a wheelchair" }][racer] ?? {};
    return services.waitingList.change(organisationId, id, change, CLI_ACTOR);
  },
  /** They say yes in the call about a place, and are booked at the desk for the same. */
  yesTwice: against(
    async ({ services, db }, race, i) => {
      const { callId } = subjectOf<{ callId: string }>(race, i);
      const deps = { db, clock: systemClock, wake: () => {}, offers: services.waitingOffers, ...services };
      const desk = createPlaceDesk(deps, { callId, organisationId: race.organisationId });
      return takenOrNot((await desk.book("A")) !== null);
    },
    ({ services }, race, i) => {
      const { person, slot_id } = subjectOf<{ person: object; slot_id: string }>(race, i);
      return services.appointments.create(race.organisationId, { slot_id, ...person }, "dashboard", CLI_ACTOR, {
        twice: "asked-first",
      });
    },
  ),
} satisfies Record<string, Work>;
