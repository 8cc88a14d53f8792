// Work of the racers on organisations and their people, and on everything with a limit.
import { CLI_ACTOR, type Actor } from "../../../src/core/actor.ts";
import { rememberDevice } from "../../../src/accounts/device-store.ts";
import type { Session } from "../../../src/accounts/session-service.ts";
import { systemClock } from "../../../src/core/clock.ts";
import type { Person } from "../../../src/accounts/records.ts";
import { createSavedFilters } from "../../../src/dashboard/saved-filters.ts";
import { against, oneAgainst, subjectOf, turnOf, within, type Work } from "./work.ts";

const OWNER: Actor = { kind: "person", id: "per_1" };

interface Somebody {
  id: string;
  email: string;
}

export const MOST_DEVICES = 20;

const filtersOf = ({ db, services }: Parameters<Work>[0]) =>
  createSavedFilters({ db, clock: systemClock, ids: services.ids });

let names = 0;
/** In letters alone. */
const newName = ({ racer }: Parameters<Work>[1]): string =>
  `Name${Array.from(String(1_000 * racer + names++), (digit) => "abcdefghij"[Number(digit)]).join("")}`;

export const ACCOUNT_WORKS = {
  /** Each racer for an organisation of its own. */
  claimAddress: ({ services }, race, i) =>
    services.people.create(
      subjectOf<string>(race, race.racer),
      { email: `person${i}@hospital.example`, name: "Test Person", role: "staff", password: "a long password" },
      CLI_ACTOR,
    ),
  claimNumber: ({ services }, race, i) =>
    services.agents.addNumber(subjectOf<string>(race, race.racer), { number: `+9111400020${10 + i}` }, CLI_ACTOR),
  /** Somebody else's, as an owner would. */
  guessNumber: ({ services }, { organisationId, subject }) =>
    services.agents.addNumber(organisationId, { number: subject }, OWNER),
  /** Two owners who demote each other. */
  demote: ({ services }, race, i) => {
    const pair = subjectOf<[Somebody, Somebody]>(race, i);
    const [self, other] = race.racer % 2 === 0 ? pair : pair.toReversed();
    if (!self || !other) throw new Error("Two of them.");
    const actor: Actor = { kind: "person", id: self.id };
    return services.people.changeAccess(race.organisationId, other.email, { role: "viewer" }, self.id, actor);
  },
  disable: oneAgainst(
    ({ services }, race, i) =>
      services.people.disable(race.organisationId, subjectOf<Somebody>(race, i).email, CLI_ACTOR),
    async ({ services }, race, i) => {
      const origin = { source: "192.0.2.1", deviceToken: null };
      await services.sessions.openFor(subjectOf<Somebody>(race, i).email, origin, { method: "setup" });
    },
  ),
  /** All of them know the current one. */
  ownPassword: async ({ services }, race) => {
    const present = subjectOf<Person>(race, 0);
    const words = `a long password ${race.racer}`;
    await services.people.setPassword(race.organisationId, present.email, words, CLI_ACTOR, present);
  },
  /** Each one later than the ones before it. */
  device: within((tx, _, race, i) => {
    const used = turnOf(race, i) + 1;
    return rememberDevice(tx, { tokenHash: `device ${used}`, personId: race.subject, usedAt: used }, MOST_DEVICES);
  }),
  hook: async ({ services }, { organisationId }) => void (await services.hooks.regenerate(organisationId, CLI_ACTOR)),
  setupCode: async ({ services }) => void (await services.setup.issueCode()),

  note: ({ services }, { organisationId, subject }, i) =>
    services.contactNotes.add(organisationId, "+919810012345", `note ${i}`, subject, CLI_ACTOR),
  calendarLink: ({ services }, { organisationId, subject }) =>
    services.feeds.create(organisationId, { branch_id: subject, people: "none" }, CLI_ACTOR),
  rule: async ({ services }, { organisationId, subject }) =>
    void (await services.reminderRules.create(organisationId, { agent_id: subject }, CLI_ACTOR)),
  modelServer: ({ services }, race) =>
    services.modelServers.create(
      race.organisationId,
      { name: race.subject || newName(race), role: "language", base_url: "http://10.20.0.5:8000/v1", model: "m" },
      CLI_ACTOR,
    ),
  word: ({ services }, race) =>
    services.pronunciations.put(race.organisationId, { word: newName(race), said: "SHAR-ma" }, CLI_ACTOR),
  filter: async (world, race) => {
    const [personId = "", name] = race.subject.split(" ");
    const session = { organisationId: race.organisationId, personId } as Session;
    await filtersOf(world).save(session, name ?? newName(race), {});
  },
  trunk: ({ services }, { organisationId }) =>
    services.trunks.create(organisationId, { name: "The same", host: "192.0.2.1" }, CLI_ACTOR),
  trunkOrNumber: against(
    ({ services }, race, i) => services.trunks.remove(race.organisationId, subjectOf<string>(race, i), CLI_ACTOR),
    ({ services }, race, i) =>
      services.agents.addNumber(
        race.organisationId,
        { number: `+9111400030${10 + i}`, trunkId: subjectOf<string>(race, i) },
        CLI_ACTOR,
      ),
  ),
  serverOrChoice: against(
    ({ services }, race, i) =>
      services.modelServers.remove(race.organisationId, subjectOf<[string, string]>(race, i)[0], CLI_ACTOR),
    ({ services }, race, i) => {
      const [language, agentId] = subjectOf<[string, string]>(race, i);
      return services.modelServers.choose(race.organisationId, agentId, { language }, CLI_ACTOR);
    },
  ),
} satisfies Record<string, Work>;
