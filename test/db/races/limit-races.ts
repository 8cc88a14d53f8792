// Races on limits that are nearly reached, and on unique names, by four processes.
import { describe, expect, test } from "bun:test";
import { CLI_ACTOR } from "../../../src/core/actor.ts";
import { newPerson } from "./account-races.ts";
import { BRANCH, db, newAgent, newOrganisation, services, team } from "./ground.ts";
import { counted } from "./team.ts";
import type { WorkName } from "./works.ts";

const TIMES = 5;
const IN_ALL = 4 * TIMES;
/** So many are left. */
const LEFT = 3;

type Limited =
  | "contact_notes"
  | "calendar_feeds"
  | "reminder_rules"
  | "model_servers"
  | "pronunciations"
  | "saved_filters";

/** So many copies of one that is there. */
async function copy(table: Limited, organisationId: string, count: number, own: readonly string[]): Promise<void> {
  const [row] = await db.reader.selectFrom(table).selectAll().where("organisation_id", "=", organisationId).execute();
  const copies = Array.from({ length: count }, (_, i) => ({
    ...row,
    ...Object.fromEntries(own.map((column) => [column, `${column} ${organisationId} ${i}`])),
  }));
  await db.write((tx) =>
    tx
      .insertInto(table)
      .values(copies as never)
      .execute(),
  );
}

interface Limit {
  table: Limited;
  work: WorkName;
  most: number;
  /** What differs in each. */
  own: readonly string[];
  /** What the work is told. */
  subject: (organisationId: string) => Promise<string>;
}

const nothing = async () => "";

const LIMITS: readonly Limit[] = [
  {
    table: "contact_notes",
    work: "note",
    most: 200,
    own: ["id"],
    subject: async (organisationId) => (await newPerson(organisationId, "staff")).id,
  },
  {
    table: "calendar_feeds",
    work: "calendarLink",
    most: 100,
    own: ["id", "token_hash"],
    async subject(organisationId) {
      await services.directory.setBranch(organisationId, BRANCH, { name: "Branch" }, CLI_ACTOR);
      return BRANCH;
    },
  },
  {
    table: "reminder_rules",
    work: "rule",
    most: 200,
    own: ["id"],
    subject: async (organisationId) => (await newAgent(organisationId)).agentId,
  },
  { table: "model_servers", work: "modelServer", most: 50, own: ["id", "name"], subject: nothing },
  { table: "pronunciations", work: "word", most: 500, own: ["word_key"], subject: nothing },
  {
    table: "saved_filters",
    work: "filter",
    most: 20,
    own: ["id", "name"],
    subject: async (organisationId) => (await newPerson(organisationId, "staff")).id,
  },
];

export function limitRaces(): void {
  describe("limits and names", () => {
    test.each(LIMITS)("there are as many $table as there may be", async ({ table, work, most, own, subject: of }) => {
      const organisationId = await newOrganisation();
      const subject = await of(organisationId);
      const first = await team.race({ work, organisationId, subject, times: 1 });
      expect(counted(first)).toEqual({ done: 4 });
      await copy(table, organisationId, most - LEFT - 4, own);
      const told = await team.race({ work, organisationId, subject, times: TIMES });
      expect(counted(told)).toEqual({ done: LEFT, CONFLICT: IN_ALL - LEFT });
    });

    test("a trunk, a model server and a filter have names of their own", async () => {
      const organisationId = await newOrganisation();
      const once = { done: 1, CONFLICT: IN_ALL - 1 };
      expect(counted(await team.race({ work: "trunk", organisationId, times: TIMES }))).toEqual(once);
      const asked = { organisationId, subject: "The same", times: TIMES };
      expect(counted(await team.race({ work: "modelServer", ...asked }))).toEqual(once);
      const { id } = await newPerson(organisationId, "staff");
      const filters = await team.race({ work: "filter", organisationId, subject: `${id} same`, times: TIMES });
      expect(counted(filters)).toEqual({ done: IN_ALL });
      const rows = db.reader.selectFrom("saved_filters").select("name").where("person_id", "=", id);
      expect(await rows.execute()).toEqual([{ name: "same" }]);
    });
  });
}
