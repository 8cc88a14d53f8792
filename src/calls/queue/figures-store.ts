// Numbers of waiting calls by reason, for /metrics. Reads slices along an index, so searches are not delayed however
// many calls exist.
import { sql } from "kysely";
import { othersFirst } from "../../core/clock.ts";
import { behind, slicesAlong } from "../../db/index-slices.ts";
import type { Call } from "../call/records.ts";
import type { Executor } from "../../db/tables.ts";
import { LIVE_STATES } from "../call/state.ts";
import { CAMPAIGN_PAUSED, LEGAL_WAITS } from "./policy.ts";
import { earliestScheduled } from "./queue-store.ts";

/** Index entries per slice: about 0.3 ms. */
const ENTRIES_PER_SLICE = 5_000;
/** Rows per slice: about 1 ms. */
const ROWS_PER_SLICE = 500;

export async function countScheduled(executor: Executor): Promise<number> {
  let count = 0;
  let last: Pick<Call, "next_at" | "id"> | undefined;
  for (;;) {
    let query = executor
      .selectFrom("calls")
      .where("state", "=", sql.lit("scheduled" as const))
      .orderBy("next_at")
      .orderBy("id");
    if (last) query = query.where(behind(["next_at", "id"], last));
    const [next] = await query
      .select(["next_at", "id"])
      .limit(1)
      .offset(ENTRIES_PER_SLICE - 1)
      .execute();
    if (!next) {
      const { rest } = await executor
        .selectFrom(query.select("id").as("some"))
        .select((eb) => eb.fn.countAll<number>().as("rest"))
        .executeTakeFirstOrThrow();
      return count + rest;
    }
    count += ENTRIES_PER_SLICE;
    last = next;
    await othersFirst();
  }
}

export async function countLive(executor: Executor): Promise<Record<string, number>> {
  const rows = await executor
    .selectFrom("calls")
    .select((eb) => ["state", eb.fn.countAll<number>().as("count")])
    .where(
      "state",
      "in",
      LIVE_STATES.map((state) => sql.lit(state)),
    )
    .groupBy("state")
    .execute();
  return Object.fromEntries(LIVE_STATES.map((state) => [state, rows.find((row) => row.state === state)?.count ?? 0]));
}

export interface HeldFigures {
  count: number;
  /** Due time of the call that has waited longest. */
  oldestAt: number;
}

/** Queued calls by hold reason. */
export async function heldByReason(executor: Executor): Promise<Map<string, HeldFigures>> {
  const held = new Map<string, HeldFigures>();
  const queued = executor
    .selectFrom("calls")
    .select(["organisation_id", "next_at", "id", "hold_reason", "scheduled_at"])
    .where("state", "=", sql.lit("queued" as const));
  for await (const rows of slicesAlong(queued, ["organisation_id", "next_at", "id"], ROWS_PER_SLICE))
    for (const { hold_reason, scheduled_at } of rows) note(held, hold_reason ?? "none", scheduled_at);
  return held;
}

function note(held: Map<string, HeldFigures>, reason: string, at: number): void {
  const known = held.get(reason);
  if (!known) held.set(reason, { count: 1, oldestAt: at });
  else {
    known.count += 1;
    known.oldestAt = Math.min(known.oldestAt, at);
  }
}

/** Intended waits, which are not lateness. */
const WANTED_WAITS: readonly string[] = ["outside_calling_hours", ...LEGAL_WAITS, CAMPAIGN_PAUSED];

/** Due time of the oldest call that should have been dialled; null if none is late. */
export async function oldestOverdueAt(
  executor: Executor,
  held: ReadonlyMap<string, HeldFigures>,
  now: number,
): Promise<number | null> {
  const scheduledAt = (await earliestScheduled(executor)) ?? Infinity;
  const waits = [...held].filter(([reason]) => !WANTED_WAITS.includes(reason)).map(([, { oldestAt }]) => oldestAt);
  const oldest = Math.min(scheduledAt, ...waits);
  return oldest < now ? oldest : null;
}

export type EndedPlace = { at: number; id: string };

/** One slice of the calls that ended after `after`, up to and including `until`, in order of their ends. */
export async function endedAfter(executor: Executor, after: EndedPlace, until: number) {
  const rows = await executor
    .selectFrom("calls")
    .select(["id", "state", "outcome", "finished_at"])
    .where("finished_at", "is not", null)
    .where("finished_at", "<=", until)
    .where(behind(["finished_at", "id"], { finished_at: after.at, id: after.id }))
    .orderBy("finished_at")
    .orderBy("id")
    .limit(ROWS_PER_SLICE)
    .execute();
  return { rows, isLast: rows.length < ROWS_PER_SLICE };
}
