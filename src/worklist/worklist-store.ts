// Store of worklist items.
import { sql } from "kysely";
import { itemWithin } from "../accounts/reach-store.ts";
import type { Reach } from "../core/reach.ts";
import { MAYBE_DELIVERED } from "../db/backup/hold-due-calls.ts";
import { slicesAlong } from "../db/index-slices.ts";
import { prepared, preparedWrite } from "../db/prepared.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { FAILURES_UNTIL_DISABLED } from "../events/retry-schedule.ts";
import { URGENT_KINDS, type WorklistKind } from "./kinds.ts";
import type { WorklistItem } from "./records.ts";

const upsertItem = preparedWrite<WorklistItem>()((db, p) =>
  db
    .insertInto("worklist_items")
    .values({
      id: p.id,
      organisation_id: p.organisation_id,
      kind: p.kind,
      subject_id: p.subject_id,
      detail: p.detail,
      created_at: p.created_at,
      done_at: p.done_at,
      done_by: p.done_by,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["subject_id", "kind"])
        .doUpdateSet({ detail: p.detail, created_at: p.created_at, done_at: p.done_at, done_by: p.done_by }),
    ),
);

/** Reopens an item that was done. */
export async function putItem(tx: Tx, row: WorklistItem): Promise<void> {
  await upsertItem(tx, row);
}

const selectOpenOfContact = prepared<{ organisationId: string; number: string }>()((db, { organisationId, number }) =>
  db
    .selectFrom("calls")
    .innerJoin("worklist_items", "worklist_items.subject_id", "calls.id")
    .select(["worklist_items.id", "worklist_items.kind", "calls.id as call_id"])
    .where("calls.organisation_id", "=", organisationId)
    .where("calls.contact_number", "=", number)
    .where("worklist_items.done_at", "is", null),
);

/** Open items about the person with this number. */
export async function openOfContact(executor: Executor, organisationId: string, number: string) {
  return selectOpenOfContact(executor, { organisationId, number });
}

export async function deleteItems(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom("worklist_items").where("id", "in", ids).execute();
}

export async function deleteItemsOf(tx: Tx, subjectId: string): Promise<void> {
  await tx.deleteFrom("worklist_items").where("subject_id", "=", subjectId).execute();
}

/** Whether an item about a call, trunk, endpoint or campaign is open. */
export async function isOpenAbout(executor: Executor, subjectId: string, kind: WorklistKind): Promise<boolean> {
  const row = await executor
    .selectFrom("worklist_items")
    .select("id")
    .where("subject_id", "=", subjectId)
    .where("kind", "=", kind)
    .where("done_at", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteItemsAbout(tx: Tx, subjectIds: readonly string[], kind: WorklistKind): Promise<void> {
  await tx.deleteFrom("worklist_items").where("subject_id", "in", subjectIds).where("kind", "=", kind).execute();
}

export async function itemOf(executor: Executor, organisationId: string, id: string) {
  return executor
    .selectFrom("worklist_items")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .executeTakeFirst();
}

export async function setDone(tx: Tx, id: string, done: Pick<WorklistItem, "done_at" | "done_by">): Promise<void> {
  await tx.updateTable("worklist_items").set(done).where("id", "=", id).execute();
}

export interface OpenQuestion {
  organisationId: string;
  kind?: string | undefined;
  before?: { createdAt: number; id: string } | undefined;
  reach?: Reach | undefined;
  limit: number;
}

const ofReach = (reach: Reach | undefined) => (reach ? itemWithin(reach) : sql<boolean>`1 = 1`);

/** Items about possible emergencies, newest first. */
export async function urgentItems(executor: Executor, organisationId: string, limit: number, reach?: Reach) {
  return executor
    .selectFrom("worklist_items")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("done_at", "is", null)
    .where("kind", "in", URGENT_KINDS)
    .where(ofReach(reach))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** Newest first. Urgent items are read separately, or by their kind. */
export async function openItems(executor: Executor, question: OpenQuestion): Promise<WorklistItem[]> {
  const { kind, before } = question;
  let query = executor
    .selectFrom("worklist_items")
    .selectAll()
    .where("organisation_id", "=", question.organisationId)
    .where("done_at", "is", null);
  query = kind === undefined ? query.where("kind", "not in", URGENT_KINDS) : query.where("kind", "=", kind);
  if (question.reach) query = query.where(itemWithin(question.reach));
  if (before !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb("created_at", "<", before.createdAt),
        eb.and([eb("created_at", "=", before.createdAt), eb("id", "<", before.id)]),
      ]),
    );
  }
  return query.orderBy("created_at", "desc").orderBy("id", "desc").limit(question.limit).execute();
}

/** Most recently done first. */
export async function doneItems(executor: Executor, organisationId: string, limit: number, reach?: Reach) {
  return executor
    .selectFrom("worklist_items")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("done_at", "is not", null)
    .where(ofReach(reach))
    .orderBy("done_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export async function countOpen(
  executor: Executor,
  organisationId: string,
  reach?: Reach,
): Promise<Record<string, number>> {
  const rows = await executor
    .selectFrom("worklist_items")
    .select((eb) => ["kind", eb.fn.countAll<number>().as("count")])
    .where("organisation_id", "=", organisationId)
    .where("done_at", "is", null)
    .where(ofReach(reach))
    .groupBy("kind")
    .execute();
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

/** Rows per slice: about 1 ms. */
const ROWS_PER_SLICE = 500;

/** Open items of all organisations. */
export async function openByKind(executor: Executor): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const open = executor
    .selectFrom("worklist_items")
    .select(["organisation_id", "created_at", "id", "kind"])
    .where("done_at", "is", null);
  for await (const rows of slicesAlong(open, ["organisation_id", "created_at", "id"], ROWS_PER_SLICE))
    for (const { kind } of rows) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

const selectOfKind = prepared<{ kind: WorklistKind }>()((db, { kind }) =>
  db.selectFrom("worklist_items").selectAll().where("kind", "=", kind),
);

/** Of all organisations, done or open. */
export async function itemsOfKind(executor: Executor, kind: WorklistKind) {
  return selectOfKind(executor, { kind });
}

/** A problem that needs a person, derived from its own table. */
export interface Trouble {
  organisation_id: string;
  subject_id: string;
}

const selectTrunksDown = prepared<object>()((db) =>
  db
    .selectFrom("trunks")
    .innerJoin("trunk_states", "trunk_states.trunk_id", "trunks.id")
    .select(["trunks.organisation_id", "trunks.id as subject_id"])
    .where("trunks.enabled", "=", 1)
    .where("trunk_states.state", "=", "down"),
);

export async function trunksDown(executor: Executor): Promise<Trouble[]> {
  return selectTrunksDown(executor, {});
}

/** Names of trunks, for messages. */
export async function trunkNames(executor: Executor, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await executor.selectFrom("trunks").select(["id", "name"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const selectEndpointsDown = prepared<{ since: number }>()((db, { since }) =>
  db
    .selectFrom("webhook_endpoints")
    .select(["organisation_id", "id as subject_id"])
    .where((eb) =>
      eb.or([
        eb.and([eb("enabled", "=", 0), eb("consecutive_failures", ">=", FAILURES_UNTIL_DISABLED)]),
        eb.and([eb("enabled", "=", 0), eb("disabled_reason", "=", MAYBE_DELIVERED)]),
        eb.and([eb("enabled", "=", 1), eb("outage_since", "<=", since)]),
      ]),
    ),
);

/**
 * Endpoints disabled after too many failures or after a restored backup, or unreachable since `since` or longer.
 * Endpoints disabled by a person are excluded.
 */
export async function endpointsDown(executor: Executor, since: number): Promise<Trouble[]> {
  return selectEndpointsDown(executor, { since });
}

const selectFinished = prepared<{ since: number }>()((db, { since }) =>
  db
    .selectFrom("campaigns")
    .select(["organisation_id", "id as subject_id"])
    .where("state", "=", "finished")
    .where("finished_at", ">=", since),
);

export async function campaignsFinished(executor: Executor, since: number): Promise<Trouble[]> {
  return selectFinished(executor, { since });
}

const selectWishes = prepared<{ since: number; from: string }>()((db, { since, from }) =>
  db
    .selectFrom("appointments")
    .innerJoin("sources", "sources.id", "appointments.source_id")
    .select(["appointments.organisation_id", "appointments.id as subject_id"])
    .where("appointments.wish_state", "=", sql.lit("open" as const))
    .where("appointments.status", "=", "confirmed")
    .where("appointments.date", ">=", from)
    .where((eb) =>
      eb.or([
        eb("appointments.wished_at", "<=", since),
        eb("sources.kind", "=", "folder"),
        eb.and([
          eb("sources.kind", "=", "api"),
          eb.not(
            eb.exists(
              eb
                .selectFrom("webhook_endpoints")
                .select("webhook_endpoints.id")
                .whereRef("webhook_endpoints.organisation_id", "=", "appointments.organisation_id")
                .where("webhook_endpoints.enabled", "=", 1),
            ),
          ),
        ]),
      ]),
    )
    .orderBy("appointments.wished_at")
    .orderBy("appointments.id")
    .limit(sql.lit(MOST_WISHES)),
);

/** The oldest of all organisations. */
const MOST_WISHES = 2_000;

/**
 * Appointments with a wish that their source has not answered since `since`, or that cannot be told to it: a folder is
 * only read, and the API tells by webhooks. `from`: the first date that is not over.
 */
export async function wishesWaiting(executor: Executor, since: number, from: string): Promise<Trouble[]> {
  return selectWishes(executor, { since, from });
}

const selectFulfilled = prepared<object>()((db) =>
  db
    .selectFrom("worklist_items")
    .innerJoin("calls", "calls.id", "worklist_items.subject_id")
    .innerJoin("appointments", (join) =>
      join
        .onRef("appointments.organisation_id", "=", "calls.organisation_id")
        .onRef("appointments.contact_number", "=", "calls.contact_number"),
    )
    .select("worklist_items.id")
    .distinct()
    .where("worklist_items.done_at", "is", null)
    .where("worklist_items.kind", "in", ["another_time", "unfulfilled"])
    .where((eb) =>
      eb.or([
        eb("appointments.created_at", ">", eb.ref("worklist_items.created_at")),
        eb.and([
          eb("worklist_items.kind", "=", "another_time"),
          eb("appointments.updated_at", ">", eb.ref("worklist_items.created_at")),
          eb.or([eb("appointments.change_requested_at", "is", null), eb("appointments.status", "<>", "confirmed")]),
        ]),
      ]),
    ),
);

/**
 * Open wishes for another time whose appointment was moved or cancelled since, and unfulfilled wishes with a booking
 * since.
 */
export async function wishesFulfilled(executor: Executor): Promise<string[]> {
  const rows = await selectFulfilled(executor, {});
  return rows.map(({ id }) => id);
}
