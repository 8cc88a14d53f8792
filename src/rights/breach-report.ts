// Breach report: whose data could be seen by whom between two moments, from the audit trail, as CSV. It is made in
// slices and streamed.
import type { AuditBatches } from "../accounts/audit-batches.ts";
import { actorNames } from "../accounts/audit.ts";
import type { ReadNotes } from "../accounts/read-notes.ts";
import type { ContactIds } from "../calls/people/contact-ids.ts";
import type { Actor } from "../core/actor.ts";
import { DAY_MS, othersFirst, toIso } from "../core/clock.ts";
import { invalidField } from "../core/errors.ts";
import { parseIsoTime } from "../core/iso-time.ts";
import type { Database } from "../db/database.ts";
import {
  entriesOfAction,
  peopleOf,
  subjectReads,
  type Period,
  type SubjectReads,
  type WideEntry,
} from "./breach-store.ts";
import { recordOf, WIDE_ACTIONS } from "./exposure.ts";

const LONGEST_MS = 366 * DAY_MS;
const ENTRIES_PER_PAGE = 500;

export const BREACH_COLUMNS = [
  "who",
  "who_id",
  "who_name",
  "what",
  "record",
  "record_id",
  "contact_name",
  "contact_number",
  "first_at",
  "last_at",
  "times",
  "people_shown",
  "note",
] as const;

export type BreachLine = readonly (string | number | null)[];

/** What no audit trail can answer; the last lines of every report. */
export const LIMITS: readonly string[] = [
  "Lists and searches record how many people were shown, not who they were.",
  "An export or a backup may hold everyone in its range; where it went afterwards is not known.",
  "Data that webhooks delivered is listed under Deliveries, not here.",
  "Model servers receive words of calls. The audit log names them for each call (call.model_used), not what they keep.",
  "Access past Ringward is not known: the database, its files, backups on disk, and what was seen on another's screen.",
];

const PERSON_FILE = "The person's whole file, with recordings.";

const NOTES: Readonly<Record<string, string>> = {
  list: "A list or search: how many were shown is known, not who.",
  export: "A file: everyone in its range.",
  everything: "The whole database: everyone.",
};

export interface BreachReportDeps {
  db: Database;
  contactIds: ContactIds;
  readNotes: ReadNotes;
  auditBatches: Pick<AuditBatches, "inPlace">;
}

/** The lines of a report, a slice at a time. */
function createLines({ db: { heavy }, contactIds }: Pick<BreachReportDeps, "db" | "contactIds">) {
  async function* ofRecords(period: Period): AsyncGenerator<BreachLine[], void> {
    const { organisationId } = period;
    for await (const all of subjectReads(heavy, period)) {
      const isOfRecord = ({ subject_id, action }: SubjectReads) =>
        recordOf(subject_id) !== null && WIDE_ACTIONS[action] === undefined;
      const reads = all.filter(isOfRecord);
      if (reads.length === 0) continue;
      const names = await namesFor(organisationId, reads);
      const ids = [...new Set(reads.map(({ subject_id }) => subject_id))];
      const people = new Map((await peopleOf(heavy, ids)).map((row) => [row.id, row]));
      yield reads.map((read) => {
        const { subject_id, action, first, last, times } = read;
        const person = people.get(subject_id);
        const number = person?.contact_number ?? contactIds.numberOf(organisationId, subject_id);
        const isErased = number === null && /^(?:call|apt|wtl|cns|note|rmd|gone)_/.test(subject_id);
        return [
          ...whoOf(read, names),
          action,
          recordOf(subject_id),
          subject_id,
          person?.contact_name ?? null,
          number,
          toIso(first),
          toIso(last),
          times,
          subject_id.startsWith("cmp_") ? null : 1,
          isErased ? "Erased since." : read.is_file ? PERSON_FILE : "",
        ];
      });
    }
  }

  /** Lists in one line per actor and list; exports in a line each, with the range. */
  async function* ofAction(period: Period, action: string): AsyncGenerator<BreachLine[], void> {
    const exposure = WIDE_ACTIONS[action] ?? "list";
    const sums = new Map<string, { of: WideEntry; first: number; last: number; times: number; shown: number }>();
    for await (const page of entriesOfAction(heavy, period, action, ENTRIES_PER_PAGE)) {
      if (exposure === "list")
        for (const of of page) {
          const key = `${of.actor_kind} ${of.actor_id} ${of.subject_id}`;
          const sum = sums.get(key) ?? { of, first: of.at, last: of.at, times: 0, shown: 0 };
          sums.set(key, { ...sum, last: of.at, times: sum.times + 1, shown: sum.shown + (shownIn(of) ?? 0) });
        }
      else {
        const names = await namesFor(period.organisationId, page);
        const lines = page.map((of): BreachLine => {
          const range = rangeIn(of);
          const note = [NOTES[exposure], range === "" ? "" : `Range: ${range}`].filter(Boolean).join(" ");
          const record = [exposure, of.subject_id, null, null, toIso(of.at), toIso(of.at), 1, shownIn(of), note];
          return [...whoOf(of, names), action, ...record];
        });
        if (lines.length > 0) yield lines;
      }
      await othersFirst();
    }
    if (sums.size === 0) return;
    const names = await namesFor(
      period.organisationId,
      [...sums.values()].map(({ of }) => of),
    );
    yield [...sums.values()].map(({ of, first, last, times, shown }) => {
      const record = ["list", of.subject_id, null, null, toIso(first), toIso(last), times, shown, NOTES["list"] ?? ""];
      return [...whoOf(of, names), action, ...record];
    });
  }

  const namesFor = (organisationId: string, rows: readonly Pick<SubjectReads, "actor_id">[]) =>
    actorNames(heavy, organisationId, [...new Set(rows.flatMap(({ actor_id }) => actor_id ?? []))]);

  async function* linesOf(period: Period): AsyncGenerator<BreachLine[], void> {
    yield [BREACH_COLUMNS];
    yield* ofRecords(period);
    for (const action of Object.keys(WIDE_ACTIONS)) yield* ofAction(period, action);
    yield LIMITS.map((note) => [...Array.from({ length: BREACH_COLUMNS.length - 1 }, () => null), note]);
  }

  return linesOf;
}

export function createBreachReport({ db, contactIds, readNotes, auditBatches }: BreachReportDeps) {
  const linesOf = createLines({ db, contactIds });
  return {
    /** Lines of the report, a slice at a time. The audit entry is on disk before this resolves. */
    async open(
      organisationId: string,
      { from, to }: { from: string; to: string },
      actor: Actor,
    ): Promise<AsyncGenerator<BreachLine[], void>> {
      const period = { organisationId, from: parseIsoTime("from", from), to: parseIsoTime("to", to) };
      if (period.to <= period.from) throw invalidField("to", "to must be after from.");
      if (period.to - period.from > LONGEST_MS) throw invalidField("to", "to must be at most 366 days after from.");
      const detail = { from: toIso(period.from), to: toIso(period.to) };
      await readNotes.note({ organisationId, actor, action: "audit.breach_report", detail });
      // Reads that were noted together count too.
      await auditBatches.inPlace();
      return linesOf(period);
    },
  };
}

export type BreachReport = ReturnType<typeof createBreachReport>;

function whoOf({ actor_kind, actor_id }: Pick<SubjectReads, "actor_kind" | "actor_id">, names: Map<string, string>) {
  return [actor_kind, actor_id, names.get(actor_id ?? "") ?? null] as const;
}

function detailOf({ detail }: WideEntry): Record<string, unknown> {
  return JSON.parse(detail) as Record<string, unknown>;
}

function shownIn(entry: WideEntry): number | null {
  const { count, rows } = detailOf(entry);
  return typeof count === "number" ? count : typeof rows === "number" ? rows : null;
}

function rangeIn(entry: WideEntry): string {
  return Object.entries(detailOf(entry))
    .filter(([name]) => name !== "count")
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ");
}
