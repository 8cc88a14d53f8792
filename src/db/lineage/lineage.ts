// Keeps the counts in the database and in the data folder in step while the server runs, and detects when the database
// is behind: at start (a restored dump, a snapshot, a copied file), or at run time (a lagging replica took over).
import { DAY_MS, SECOND_MS, toIso, type Clock } from "../../core/clock.ts";
import type { DueSource } from "../../core/due-source.ts";
import { messageOf } from "../../core/errors.ts";
import type { Ids } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Database } from "../port.ts";
import type { Row } from "../tables.ts";
import { readMemory, withSeen, writeMemory, type FolderMemory } from "./folder-memory.ts";
import { hasAnyCall, insertLineage, lineageRow, updateLineage } from "./lineage-store.ts";
import { isHeld, standingOf, type Standing } from "./standing.ts";

export interface LineageDeps {
  db: Database;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  dataDir: string;
  /** Resolves when everything that may already have happened is held, on disk. */
  hold: (found: Found) => Promise<void>;
  /** Number of items that still wait for a person because of it. */
  countHeld: () => Promise<number>;
}

export interface Found {
  standing: Standing;
  /** Calls due until then may have been made. */
  until: number;
  /** Calls created since then are follow-ups of calls that the older state shows as in progress. */
  since: number;
}

type Behind = Pick<Row<"lineage">, "behind_at" | "behind_since">;

const BEAT_EVERY_MS = 30 * SECOND_MS;
/** While calls go out. Costs one database write and one write of a small file. */
const SOON_MS = SECOND_MS;
/** Paused campaigns are reported nowhere else. */
const TOLD_FOR_MS = DAY_MS;

const NOTHING_SEEN: FolderMemory = { folder: "", databases: [], restoredAt: null };

export class Lineage implements DueSource {
  readonly name = "lineage";
  #memory: FolderMemory = NOTHING_SEEN;
  #known: Row<"lineage"> | null = null;
  #held = 0;
  #beatAtElapsedMs = -Infinity;
  #isFileFailing = false;
  #cancelSoon: (() => void) | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: LineageDeps) {}

  /** Runs before anything is dialled. `settle` ends the calls that the database shows as in progress. */
  async begin(settle: () => Promise<unknown>): Promise<void> {
    const { db, clock, ids, dataDir, countHeld } = this.deps;
    const memory = readMemory(dataDir);
    this.#memory = memory ?? NOTHING_SEEN;
    const stored = await lineageRow(db.reader);
    const standing = standingOf(memory, stored, await hasAnyCall(db.reader));
    const since = clock.now();
    await settle();
    if (isHeld(standing) || standing === "restored") {
      await this.#inTurn(() => this.#findBehind(standing, since));
      return;
    }
    if (stored && stored.behind_at !== null) this.#held = await countHeld();
    await this.#inTurn(() => this.#advance(stored, stored?.line ?? ids.uuid(), {}));
  }

  async runDue(): Promise<number> {
    const { clock } = this.deps;
    if (clock.elapsedMs() - this.#beatAtElapsedMs >= BEAT_EVERY_MS) await this.#inTurn(() => this.#beat());
    return clock.now() + BEAT_EVERY_MS;
  }

  /** A call went out: the folder records it within about a second. */
  dialled(): void {
    const { clock, logger } = this.deps;
    this.#cancelSoon ??= clock.after(SOON_MS, () => {
      this.#cancelSoon = null;
      this.#inTurn(() => this.#beat()).catch((error: unknown) => {
        logger.warn("The database's heartbeat could not be stored; retrying later.", {
          error: messageOf(error),
        });
      });
    });
  }

  /** A message for the operator, until everything is decided. */
  note(): string | null {
    if (!this.#known || this.#known.behind_at === null) return null;
    return noteWords(this.#known.behind_since, this.#held);
  }

  async stop(): Promise<void> {
    this.#cancelSoon?.();
    await this.#inTurn(() => this.#beat(1)).catch((error: unknown) => {
      this.deps.logger.warn("The server's stop could not be recorded in the database.", { error: messageOf(error) });
    });
  }

  /** Serializes the work. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #beat(isStopped = 0): Promise<void> {
    const { db, clock } = this.deps;
    const before = this.#known;
    if (!before) return;
    const now = clock.now();
    this.#beatAtElapsedMs = clock.elapsedMs();
    const behind = await this.#stillTold(before, now);
    const row: Row<"lineage"> = { ...before, ...behind, beat: before.beat + 1, beat_at: now, is_stopped: isStopped };
    const hasGoneBack = await db.write(async (tx) => {
      const stored = await lineageRow(tx);
      if (!stored || stored.line !== before.line || stored.beat < before.beat) return true;
      await updateLineage(tx, row);
      return false;
    });
    if (hasGoneBack) await this.#findBehind("behind", now);
    else await this.#remember(row);
  }

  async #stillTold({ behind_at, behind_since }: Behind, now: number): Promise<Behind> {
    if (behind_at === null) return { behind_at, behind_since };
    this.#held = await this.deps.countHeld();
    const isOver = this.#held === 0 && Math.abs(now - behind_at) > TOLD_FOR_MS;
    return isOver ? { behind_at: null, behind_since: null } : { behind_at, behind_since };
  }

  /**
   * The count advances beyond both only when everything is held: after an earlier crash, the database is found behind
   * again.
   */
  async #findBehind(standing: Standing, since: number): Promise<void> {
    const { db, clock, ids, hold, countHeld } = this.deps;
    const { databases, restoredAt } = this.#memory;
    const stored = await lineageRow(db.reader);
    const line = stored?.line ?? this.#known?.line ?? ids.uuid();
    const seen = databases.find((one) => one.line === line) ?? databases.at(-1);
    await hold({ standing, until: Math.max(clock.now(), seen?.at ?? 0, restoredAt ?? 0), since });
    this.#held = await countHeld();
    await this.#advance(stored, line, { behind_at: clock.now(), behind_since: stored?.beat_at ?? null });
  }

  async #advance(stored: Row<"lineage"> | undefined, line: string, behind: Partial<Behind>): Promise<void> {
    const { db, clock, ids } = this.deps;
    const seen = this.#memory.databases.find((one) => one.line === line);
    const row: Row<"lineage"> = {
      line,
      beat: Math.max(stored?.beat ?? 0, seen?.beat ?? 0, this.#known?.beat ?? 0) + 1,
      beat_at: clock.now(),
      folder: this.#memory.folder === "" ? ids.uuid() : this.#memory.folder,
      is_stopped: 0,
      behind_at: stored?.behind_at ?? null,
      behind_since: stored?.behind_since ?? null,
      ...behind,
    };
    await db.write(async (tx) => {
      if (await lineageRow(tx)) await updateLineage(tx, row);
      else await insertLineage(tx, row);
    });
    this.#beatAtElapsedMs = clock.elapsedMs();
    await this.#remember(row);
  }

  /** Runs after the database commit. On a full disk the folder falls behind, never the database. */
  async #remember(row: Row<"lineage">): Promise<void> {
    const { dataDir, logger } = this.deps;
    this.#known = row;
    const seen = { line: row.line, beat: row.beat, at: row.beat_at };
    this.#memory = withSeen({ ...this.#memory, folder: row.folder }, seen);
    try {
      await writeMemory(dataDir, this.#memory);
      this.#isFileFailing = false;
    } catch (error) {
      if (!this.#isFileFailing)
        logger.warn("The newest heartbeat could not be stored in the data folder; retrying later.", {
          error: messageOf(error),
        });
      this.#isFileFailing = true;
    }
  }
}

export const createLineage = (deps: LineageDeps): Lineage => new Lineage(deps);

function noteWords(since: number | null, held: number): string {
  const age = since === null ? "" : ` Its last sign of life was at ${toIso(since)}.`;
  const waiting =
    held === 0 ? "Nothing is held any more." : `${held} calls and webhook endpoints still wait for a person.`;
  return (
    `The database was put back to an older state.${age} Calls that were due since are held, campaigns are paused, and ` +
    `webhook endpoints with pending deliveries are off. ${waiting} Decide on Today, or with "ringward calls held", ` +
    `"calls release" and "calls cancel".`
  );
}
