// Write buffer for audit notes of reads. Notes of reads that share a commit are stored as one row, which costs a
// fraction of the same number of entries with their indexes. They are on disk before the reads are answered. They are
// moved to the entries when no more arrive, when many are waiting, and before a search of the trail. Each slice moves
// in one transaction, so a crash neither loses nor duplicates a note.
import { othersFirst, SECOND_MS, type Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/tables.ts";
import { deleteBatch, insertBatch, newestBatch, oldestBatches, waitingEntries } from "./audit-batch-store.ts";
import { CONTACT_READ } from "./audit-subject-store.ts";
import type { Audit, AuditNote, EarlierNote } from "./audit.ts";

export interface AuditBatches {
  /** Resolves when the notes are on disk. */
  record(notes: readonly EarlierNote[]): Promise<void>;
  /** Resolves when every note recorded before is among the entries, where searches find it. */
  inPlace(): Promise<void>;
  /** Does the same in the background. Failures are logged and retried. */
  start(): void;
}

/** Smaller groups are written as entries directly: a person browsing, or an integration with little traffic. */
export const LEAST_TOGETHER = 8;
/** From this number on, notes are moved even while more arrive. */
const MANY = 30_000;
/**
 * Beyond this, notes are written as entries directly, because a search waits for all pending notes. Moving one takes 20
 * µs, and 85 µs with a million entries, where each index insertion touches its own page.
 */
export const MOST_WAITING = 40_000;
/** Approximate notes moved per transaction, which takes about 10 ms with a million entries. */
const MOVED_AT_ONCE = 150;
/** A batch has up to 200 notes. */
const BATCHES_LOOKED_AT = 16;
const CALM_MS = SECOND_MS;
const ESCAPED_NUL = String.raw`\u0000`;

export interface AuditBatchesDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  audit: Audit;
  logger: Logger;
}

export function createAuditBatches({ db, clock, ids, audit, logger }: AuditBatchesDeps): AuditBatches {
  /** Approximate, because another process may have moved some. Null until first needed. */
  let waiting: number | null = null;
  let keptAtMs = 0;
  let isWatching = false;
  let moving: Promise<void> | null = null;
  let movingNext: Promise<void> | null = null;

  async function record(notes: readonly EarlierNote[]): Promise<void> {
    const together = await togetherIn(notes);
    if (together.length === 0) return db.write((tx) => audit.recordAll(tx, notes));
    const batch = { id: ids.next("aub"), entries: together.length, notes: textOf(together) };
    // No entry can store a NUL. As entries the notes are rejected now; as a batch they could never be moved.
    if (batch.notes.includes(ESCAPED_NUL)) return db.write((tx) => audit.recordAll(tx, notes));
    const others = notes.filter(isPlacedAtOnce);
    await db.write(async (tx) => {
      await insertBatch(tx, batch);
      await audit.recordAll(tx, others);
    });
    kept(batch.entries);
  }

  async function togetherIn(notes: readonly EarlierNote[]): Promise<readonly EarlierNote[]> {
    if (notes.length < LEAST_TOGETHER) return [];
    waiting ??= await waitingEntries(db.reader);
    if (waiting >= MOST_WAITING) return [];
    return notes.some(isPlacedAtOnce) ? notes.filter((each) => !isPlacedAtOnce(each)) : notes;
  }

  function kept(entries: number): void {
    waiting = (waiting ?? 0) + entries;
    keptAtMs = clock.elapsedMs();
    if (waiting >= MANY) start();
    if (!isWatching) watch(CALM_MS);
  }

  /** Re-arms until no note has arrived for CALM_MS. */
  function watch(delayMs: number): void {
    isWatching = true;
    clock.after(delayMs, () => {
      const leftMs = keptAtMs + CALM_MS - clock.elapsedMs();
      if (leftMs > 0) watch(leftMs);
      else {
        isWatching = false;
        start();
      }
    });
  }

  /**
   * A running move may have passed notes that were recorded since, so callers that arrive meanwhile wait for the next
   * move.
   */
  function inPlace(): Promise<void> {
    if (moving) return (movingNext ??= moving.catch(() => {}).then(nextMove));
    const move = moveAll().finally(() => (moving = null));
    moving = move;
    return move;
  }

  function nextMove(): Promise<void> {
    movingNext = null;
    return inPlace();
  }

  async function moveAll(): Promise<void> {
    const newest = await newestBatch(db.reader);
    if (newest === null) return void (waiting = 0);
    for (;;) {
      const moved = await db.write((tx) => moveSome(tx, audit, newest), { lane: "audit batches" });
      if (moved === 0) return;
      waiting = Math.max(0, (waiting ?? 0) - moved);
      await othersFirst();
    }
  }

  function start(): void {
    if (moving) return;
    inPlace().catch((error: unknown) =>
      logger.warn("Batched audit notes could not be moved to the audit entries; retrying later.", {
        error: messageOf(error),
      }),
    );
  }

  return { record, inPlace, start };
}

/** Erasing a contact replaces the subject of these notes, and looks for it only among the entries. */
const isPlacedAtOnce = ({ note }: EarlierNote): boolean => note.action === CONTACT_READ;

async function moveSome(tx: Tx, audit: Audit, last: string): Promise<number> {
  let moved = 0;
  for (const { id, entries, notes } of await oldestBatches(tx, { last, limit: BATCHES_LOOKED_AT })) {
    if (moved >= MOVED_AT_ONCE) break;
    await audit.recordAll(tx, notesIn(notes));
    await deleteBatch(tx, { id });
    moved += entries;
  }
  return moved;
}

type Kept = [
  organisationId: string,
  at: number,
  actorKind: AuditNote["actor"]["kind"],
  actorId: string | null,
  requestId: string | null,
  action: string,
  subjectId: string | null,
  detail: NonNullable<AuditNote["detail"]> | null,
];

function textOf(notes: readonly EarlierNote[]): string {
  return JSON.stringify(
    notes.map(({ note: { organisationId, actor, action, subjectId, detail }, at }): Kept => [
      organisationId,
      at,
      actor.kind,
      actor.id,
      actor.requestId ?? null,
      action,
      subjectId ?? null,
      detail ?? null,
    ]),
  );
}

function notesIn(text: string): EarlierNote[] {
  return (JSON.parse(text) as Kept[]).map(
    ([organisationId, at, kind, id, requestId, action, subjectId, detail]): EarlierNote => ({
      at,
      note: {
        organisationId,
        actor: { kind, id, ...(requestId !== null && { requestId }) },
        action,
        subjectId,
        ...(detail !== null && { detail }),
      },
    }),
  );
}
