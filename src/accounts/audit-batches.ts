// Notes of reads that share a commit are stored as one row, which is a fraction of what as many entries with their
// indexes cost. They are on disk when the reads are answered. Soon after they are moved to the entries: when no more
// come, when many are waiting, and before anybody searches the trail. Each slice is moved in one transaction, so that a
// crash loses none and doubles none.
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
  /** Resolves when they are on disk. */
  record(notes: readonly EarlierNote[]): Promise<void>;
  /** Resolves when everything that was recorded before is among the entries, where searches find it. */
  inPlace(): Promise<void>;
  /** The same in the background. What fails is logged, and tried again. */
  start(): void;
}

/** Fewer are written as entries at once: a person who looks around, a quiet integrator. */
export const LEAST_TOGETHER = 8;
/** From here on they are moved although more come. */
const MANY = 30_000;
/**
 * Past this they are written as entries at once: a search waits for all of them. To move one takes 20 µs, and with a
 * million entries, where its place in the indexes is on a page of its own, 85 µs.
 */
export const MOST_WAITING = 40_000;
/** A transaction moves about so many, which takes about 10 ms where there are a million entries. */
const MOVED_AT_ONCE = 150;
/** A batch has up to 200. */
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
  /** About: another process may have moved some. Null until it is asked for. */
  let waiting: number | null = null;
  let keptAtMs = 0;
  let isWatching = false;
  let moving: Promise<void> | null = null;
  let movingNext: Promise<void> | null = null;

  async function record(notes: readonly EarlierNote[]): Promise<void> {
    const together = await togetherIn(notes);
    if (together.length === 0) return db.write((tx) => audit.recordAll(tx, notes));
    const batch = { id: ids.next("aub"), entries: together.length, notes: textOf(together) };
    // No entry can hold it. Written as entries they are refused; written here they would stay for good.
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

  /** Until no more have come for a while. */
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
   * A move that is under way may have passed what was recorded since: whoever asks meanwhile waits for the next one.
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
      logger.warn("Audit notes of reads were not moved to the other entries; it is tried again.", {
        error: messageOf(error),
      }),
    );
  }

  return { record, inPlace, start };
}

/** The subject of these is replaced when the person is erased, and is looked for among the entries. */
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
