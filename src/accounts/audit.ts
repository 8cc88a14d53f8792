// Audit trail of actions on personal data and settings: who, what, on which record. It never contains the data itself.
import { toIso, type Clock } from "../core/clock.ts";
import type { Ids } from "../core/ids.ts";
import { prepared, preparedRows, preparedWrite } from "../db/prepared.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { Actor } from "../core/actor.ts";
import type { AuditEntry } from "./records.ts";

export interface AuditNote {
  organisationId: string;
  actor: Actor;
  /** `thing.act`, for example `api_key.created`. */
  action: string;
  subjectId?: string | null;
  detail?: Record<string, string | number | boolean | readonly string[] | null>;
}

export interface Audit {
  record(tx: Tx, note: AuditNote): Promise<void>;
  /** Records notes with the time at which they happened, which is earlier than now. */
  recordAll(tx: Tx, notes: readonly EarlierNote[]): Promise<void>;
}

export interface EarlierNote {
  note: AuditNote;
  at: number;
}

/** The chain adds the others. */
type NewEntry = Omit<AuditEntry, "salt" | "commitment">;

/** Ids in a row of entries that are not sealed yet: as many as a block of the chain has. */
export const MOST_SEALED_TOGETHER = 100;

/** Lists the fields explicitly: a statement is prepared with placeholders, which cannot be spread. */
const entryOf = (p: NewEntry): NewEntry => ({
  id: p.id,
  organisation_id: p.organisation_id,
  at: p.at,
  actor_kind: p.actor_kind,
  actor_id: p.actor_id,
  action: p.action,
  subject_id: p.subject_id,
  detail: p.detail,
  request_id: p.request_id,
});

/** Its place in the chain comes later; see src/audit. */
const insertUnsealed = preparedWrite<{ id: string; entries: string }>()((db, { id, entries }) =>
  db.insertInto("audit_unsealed").values({ id, entries }),
);

const insertEntry = prepared<NewEntry>()((db, p) => db.insertInto("audit_entries").values(entryOf(p)));

const ENTRIES_AT_ONCE = 20;
const insertEntries = preparedRows<NewEntry>(ENTRIES_AT_ONCE)((db, rows) =>
  db.insertInto("audit_entries").values(rows.map(entryOf)),
);

const NOTHING = {};

export function createAudit(clock: Clock, ids: Ids): Audit {
  const rowOf = (
    { organisationId, actor, action, subjectId = null, detail = NOTHING }: AuditNote,
    at: number,
  ): NewEntry => ({
    id: ids.next("aud"),
    organisation_id: organisationId,
    at,
    actor_kind: actor.kind,
    actor_id: actor.id,
    action,
    subject_id: subjectId,
    detail: detail === NOTHING ? "{}" : JSON.stringify(detail),
    request_id: actor.requestId ?? null,
  });
  return {
    async record(tx, note) {
      const row = rowOf(note, clock.now());
      await insertUnsealed(tx, { id: row.id, entries: "" });
      await insertEntry(tx, row);
    },
    async recordAll(tx, notes) {
      const rows = notes.map(({ note, at }) => rowOf(note, at));
      let next = 0;
      for (; next + ENTRIES_AT_ONCE <= rows.length; next += ENTRIES_AT_ONCE)
        await insertEntries(tx, rows.slice(next, next + ENTRIES_AT_ONCE));
      for (const row of rows.slice(next)) await insertEntry(tx, row);
      for (let at = 0; at < rows.length; at += MOST_SEALED_TOGETHER) {
        const together = rows.slice(at, at + MOST_SEALED_TOGETHER).map(({ id }) => id);
        await insertUnsealed(tx, { id: together[0] ?? "", entries: together.length === 1 ? "" : together.join(" ") });
      }
    },
  };
}

export interface AuditFilter {
  organisationId: string;
  /** Prefix of an action: `call` or `call.erased`. */
  action?: string | undefined;
  subjectId?: string | undefined;
  /** Any of these records. */
  subjectIds?: readonly string[] | undefined;
  /** Id of a person or a key. */
  actorId?: string | undefined;
  actorKind?: AuditEntry["actor_kind"] | undefined;
  /** Milliseconds; `from` is inclusive, `to` exclusive. */
  from?: number | undefined;
  to?: number | undefined;
  before?: { createdAt: number; id: string } | undefined;
  limit: number;
}

/** Newest first. */
export async function listAuditPage(executor: Executor, filter: AuditFilter) {
  const { organisationId, action } = filter;
  const actions = action === undefined ? null : await actionsBeginning(executor, organisationId, action);
  const rows = await newestOf(executor, filter, actions);
  const names = await namesOf(executor, organisationId, rows);
  return rows.map(({ at, detail, ...row }) => ({
    ...row,
    actor_name: names.get(row.actor_id ?? "") ?? null,
    subject_name: names.get(row.subject_id ?? "") ?? null,
    at: toIso(at),
    detail: JSON.parse(detail) as Record<string, unknown>,
  }));
}

/** About a hundred exist. */
const MOST_ACTIONS = 400;

/** The trail's actions with this prefix. Each costs one index seek, regardless of its number of entries. */
async function actionsBeginning(executor: Executor, organisationId: string, text: string): Promise<string[]> {
  const beginning = text.toLowerCase();
  const actions: string[] = [];
  for (let after = ""; actions.length < MOST_ACTIONS;) {
    const [next] = await nextAction(executor, { organisationId, from: beginning, after });
    if (!next?.action.startsWith(beginning)) break;
    actions.push((after = next.action));
  }
  return actions;
}

const nextAction = prepared<{ organisationId: string; from: string; after: string }>()(
  (db, { organisationId, from, after }) =>
    db
      .selectFrom("audit_entries")
      .select("action")
      .where("organisation_id", "=", organisationId)
      .where("action", ">=", from)
      .where("action", ">", after)
      .orderBy("action")
      .limit(1),
);

/** Without the chain's own columns. */
const SHOWN = [
  "id",
  "organisation_id",
  "at",
  "actor_kind",
  "actor_id",
  "action",
  "subject_id",
  "detail",
  "request_id",
] as const satisfies readonly (keyof NewEntry)[];

/** For several actions, merges the newest of each: a scan in time order could read every other entry. */
function newestOf(executor: Executor, filter: AuditFilter, actions: readonly string[] | null): Promise<NewEntry[]> {
  const newest = (action: string | null) =>
    narrowed(executor, filter, action).orderBy("at", "desc").orderBy("id", "desc").limit(filter.limit);
  const [first, ...others] = (actions ?? []).map((action) =>
    executor.selectFrom(newest(action).as("newest")).selectAll(),
  );
  if (actions === null) return newest(null).execute();
  if (!first) return Promise.resolve([]);
  const all = others.reduce((found, other) => found.unionAll(other), first).as("entries");
  const inOrder = executor.selectFrom(all).selectAll().orderBy("at", "desc").orderBy("id", "desc");
  return inOrder.limit(filter.limit).execute();
}

const allEntries = (executor: Executor) => executor.selectFrom("audit_entries");

/**
 * The entries about these records, which are few, in place of the table. Otherwise SQLite reads the whole trail in time
 * order to find them.
 */
const entriesAbout = (executor: Executor, organisationId: string, subjectIds: readonly string[]) =>
  executor
    .with(
      (cte) => cte("about").materialized(),
      (db) =>
        db
          .selectFrom("audit_entries")
          .selectAll()
          .where("organisation_id", "=", organisationId)
          .where("subject_id", "in", subjectIds),
    )
    .selectFrom("about as audit_entries") as unknown as ReturnType<typeof allEntries>;

function narrowed(executor: Executor, filter: AuditFilter, action: string | null) {
  const { subjectId, subjectIds, actorId, actorKind, from, to, before } = filter;
  const { organisationId } = filter;
  const source = subjectIds === undefined ? allEntries(executor) : entriesAbout(executor, organisationId, subjectIds);
  let query = source.select(SHOWN).where("organisation_id", "=", organisationId);
  if (action !== null) query = query.where("action", "=", action);
  if (subjectId !== undefined) query = query.where("subject_id", "=", subjectId);
  if (actorId !== undefined) query = query.where("actor_id", "=", actorId);
  if (actorKind !== undefined) query = query.where("actor_kind", "=", actorKind);
  if (from !== undefined) query = query.where("at", ">=", from);
  if (to !== undefined) query = query.where("at", "<", to);
  if (before === undefined) return query;
  // The first condition is implied by the second, but lets SQLite seek in its index.
  return query
    .where("at", "<=", before.createdAt)
    .where((eb) =>
      eb.or([eb("at", "<", before.createdAt), eb.and([eb("at", "=", before.createdAt), eb("id", "<", before.id)])]),
    );
}

/** Index entries skipped per step: about 0.3 ms. */
const COUNTED_AT_ONCE = 5_000;

const selectNthAfter = prepared<{ last: string; offset: number }>()((db, { last, offset }) =>
  db.selectFrom("audit_entries").select("id").where("id", ">", last).orderBy("id").limit(1).offset(offset),
);

/** Counts one slice of the entries after an id, across all organisations. */
export async function countAuditAfter(
  executor: Executor,
  after: string,
): Promise<{ count: number; last: string; isLast: boolean }> {
  const [nth] = await selectNthAfter(executor, { last: after, offset: COUNTED_AT_ONCE - 1 });
  if (nth) return { count: COUNTED_AT_ONCE, last: nth.id, isLast: false };
  const rest = await executor
    .selectFrom("audit_entries")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.max<string | null>("id").as("last")])
    .where("id", ">", after)
    .executeTakeFirstOrThrow();
  return { count: rest.count, last: rest.last ?? after, isLast: true };
}

/** Times of the newest `limit` entries with these actions after `since`, newest first. */
export async function newestActionTimes(
  executor: Executor,
  { organisationId, actions, since }: { organisationId: string; actions: readonly string[]; since: number },
  limit: number,
): Promise<number[]> {
  const rows = await executor
    .selectFrom("audit_entries")
    .select("at")
    .where("organisation_id", "=", organisationId)
    .where("at", ">", since)
    .where("action", "in", actions)
    .orderBy("at", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ at }) => at);
}

/** Names of people and keys, including disabled and revoked ones. */
async function namesOf(
  executor: Executor,
  organisationId: string,
  rows: readonly Pick<AuditEntry, "actor_id" | "subject_id">[],
): Promise<Map<string, string>> {
  const ids = new Set(rows.flatMap(({ actor_id, subject_id }) => [actor_id ?? [], subject_id ?? []].flat()));
  return actorNames(executor, organisationId, [...ids]);
}

/** Names of people and keys by id; other ids are ignored. */
export async function actorNames(
  executor: Executor,
  organisationId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const named = async (table: "people" | "api_keys", prefix: string) => {
    const wanted = ids.filter((id) => id.startsWith(prefix));
    if (wanted.length === 0) return [];
    const query = executor.selectFrom(table).select(["id", "name"]).where("organisation_id", "=", organisationId);
    return query.where("id", "in", wanted).execute();
  };
  const found = [...(await named("people", "per_")), ...(await named("api_keys", "key_"))];
  return new Map(found.map(({ id, name }) => [id, name]));
}
