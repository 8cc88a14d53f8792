// Which of the ids that a request names are within a person's reach: one query for each kind, none for branches.
import { sql } from "kysely";
import {
  agentWithin,
  appointmentWithin,
  callWithin,
  campaignWithin,
  closureWithin,
  itemWithin,
  numberWithin,
  rowWithin,
} from "../accounts/reach-store.ts";
import { calendarIdOf } from "../calendar/slot-id.ts";
import type { ContactIds } from "../calls/people/contact-ids.ts";
import { isUuid } from "../core/ids.ts";
import { isOfReach, type Reach } from "../core/reach.ts";
import type { Database } from "../db/database.ts";
import type { Named } from "./access-table.ts";
import type { Change } from "./records.ts";

type Stored = Exclude<Named, "branch" | "contact" | "slot">;

const TABLES = {
  agent: ["agents", agentWithin],
  appointment: ["appointments", appointmentWithin],
  call: ["calls", callWithin],
  campaign: ["campaigns", campaignWithin],
  closure: ["closures", closureWithin],
  item: ["worklist_items", itemWithin],
  "reminder rule": ["reminder_rules", rowWithin],
  "waiting entry": ["waiting_list", rowWithin],
  window: ["windows", rowWithin],
} as const satisfies Record<Stored, readonly [table: string, condition: typeof rowWithin]>;

/** Kinds of the change log. A change of the account tells no id. */
const CHANGED: Readonly<Record<Change["kind"], Stored | null>> = {
  call: "call",
  appointment: "appointment",
  campaign: "campaign",
  window: "window",
  worklist: "item",
  waiting: "waiting entry",
  account: null,
};

/** Variables of one query. */
const MOST_AT_ONCE = 500;

export interface ReachSubjects {
  areWithin(organisationId: string, reach: Reach, kind: Named, ids: readonly string[]): Promise<boolean>;
  /** Changes within reach. What no longer exists is told without its id. */
  changesWithin(organisationId: string, reach: Reach, changes: readonly Change[]): Promise<Change[]>;
}

export function createReachSubjects(db: Database, contactIds: ContactIds): ReachSubjects {
  async function idsOf(organisationId: string, kind: Stored, ids: readonly string[], reach?: Reach) {
    const [table, condition] = TABLES[kind];
    const found = new Set<string>();
    for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
      const { rows } = await sql<{ id: string }>`select named.id from ${sql.table(table)} as named
        where named.organisation_id = ${organisationId}
          and named.id in (${sql.join(ids.slice(at, at + MOST_AT_ONCE))})
          and ${reach ? condition(reach, "named") : sql`1 = 1`}`.execute(db.reader);
      for (const { id } of rows) found.add(id);
    }
    return found;
  }

  async function isKnown(organisationId: string, reach: Reach, contactId: string): Promise<boolean> {
    const number = contactIds.numberOf(organisationId, contactId);
    if (number === null) return false;
    const { rows } = await sql`select 1 as known from organisations
      where id = ${organisationId} and ${numberWithin(reach, organisationId, sql`${number}`)}`.execute(db.reader);
    return rows.length > 0;
  }

  return {
    async areWithin(organisationId, reach, kind, ids) {
      const wanted = [...new Set(ids)];
      // Text that is no id of a branch registers none.
      if (kind === "branch") return wanted.every((id) => !isUuid(id) || isOfReach(reach, id.toLowerCase()));
      if (kind === "contact") {
        for (const id of wanted) if (!(await isKnown(organisationId, reach, id))) return false;
        return true;
      }
      const stored = kind === "slot" ? [...new Set(wanted.map(calendarIdOf))] : wanted;
      return (await idsOf(organisationId, kind === "slot" ? "window" : kind, stored, reach)).size === stored.length;
    },

    async changesWithin(organisationId, reach, changes) {
      const told = new Map<Change, string>();
      for (const [kind, rows] of Map.groupBy(changes, (change) => change.kind)) {
        const stored = CHANGED[kind];
        const ids = [...new Set(rows.map(({ subject_id }) => subject_id))];
        const inside = stored === null ? new Set<string>() : await idsOf(organisationId, stored, ids, reach);
        const present = stored === null ? new Set<string>() : await idsOf(organisationId, stored, ids);
        for (const row of rows) {
          if (inside.has(row.subject_id)) told.set(row, row.subject_id);
          else if (!present.has(row.subject_id)) told.set(row, "");
        }
      }
      return changes.flatMap((row) => {
        const id = told.get(row);
        return id === undefined ? [] : [{ ...row, subject_id: id }];
      });
    },
  };
}
