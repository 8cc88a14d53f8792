// Sealing of audit entries: gives committed entries their place in the chain. Commands only queue their entries, so
// they never wait for one another; the queue is sealed every half a minute, in blocks. After a crash a block is sealed
// as a whole, or not at all and later again.
import { commitSubject, deleteUnsealed } from "../accounts/audit-chain-store.ts";
import { createTurns, MINUTE_MS, othersFirst, type Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import type { Logger } from "../core/logger.ts";
import type { Database } from "../db/database.ts";
import type { Executor, Tx } from "../db/tables.ts";
import type { RecurringJob } from "../scheduler/recurring.ts";
import { commitmentTo, endOf, isCommitted, leafOf, missingLeaf, MOST_PER_BLOCK, sealedBlock } from "./chain.ts";
import * as store from "./chain-store.ts";
import type { AuditBlock, ChainedEntry, UnsealedEntries } from "./records.ts";

export interface SealingDeps {
  db: Pick<Database, "reader" | "write">;
  clock: Clock;
  ids: Pick<Ids, "secret">;
  logger: Logger;
}

/** Keeps the transaction at a few milliseconds. */
const BLOCKS_AT_ONCE = 3;
const SALT_BYTES = 16;
/** /readyz reports failures that last longer. */
const TOLD_AFTER_MS = MINUTE_MS;

interface Batch {
  after: number;
  waiting: readonly UnsealedEntries[];
  blocks: AuditBlock[];
  committed: Committed[];
}
type Committed = { id: string; subject: string; salt: string; commitment: string };

/** Seals what waits, a few blocks at most. Returns the number of entries; zero if none waits. */
export async function sealSome(deps: SealingDeps): Promise<number> {
  const { db } = deps;
  const batch = await nextBatch(deps);
  if (batch === null) return 0;
  await db.write((tx) => storeBatch(tx, batch), { lane: "audit chain" });
  return batch.blocks.reduce((sum, { entry_count }) => sum + entry_count, 0);
}

async function nextBatch({ db, clock, ids }: SealingDeps): Promise<Batch | null> {
  const groups = await nextGroups(db.reader);
  if (groups.length === 0) return null;
  let end = await store.chainEnd(db.reader);
  const batch: Batch = { after: end.sequence, waiting: groups.flat(), blocks: [], committed: [] };
  const yields = createTurns();
  for (const group of groups) {
    const wanted = group.flatMap(idsIn);
    const found = await store.entriesById(db.reader, wanted);
    const sealed = [];
    for (const id of wanted) {
      const entry = found.get(id);
      const chained = entry && committedEntry(entry, ids, batch.committed);
      sealed.push({ id, at: entry?.at ?? clock.now(), leaf: chained ? leafOf(chained) : missingLeaf(id) });
      await yields();
    }
    const block = sealedBlock(end, sealed, clock.now());
    batch.blocks.push(block);
    end = endOf(block);
  }
  return batch;
}

const idsIn = ({ id, entries }: UnsealedEntries): string[] => (entries === "" ? [id] : entries.split(" "));

/** Rows of the queue, by block. */
async function nextGroups(reader: Executor): Promise<UnsealedEntries[][]> {
  const waiting = await store.unsealedEntries(reader, BLOCKS_AT_ONCE * MOST_PER_BLOCK);
  const groups: UnsealedEntries[][] = [];
  let free = 0;
  for (const row of waiting) {
    const size = idsIn(row).length;
    if (size > free) {
      if (groups.length === BLOCKS_AT_ONCE) break;
      groups.push([]);
      free = MOST_PER_BLOCK;
    }
    groups.at(-1)?.push(row);
    free -= size;
  }
  return groups;
}

function committedEntry(entry: ChainedEntry, ids: Pick<Ids, "secret">, committed: Committed[]): ChainedEntry {
  if (!isCommitted(entry) || entry.commitment !== null || entry.subject_id === null) return entry;
  const salt = ids.secret(SALT_BYTES);
  const commitment = commitmentTo(salt, entry.subject_id);
  committed.push({ id: entry.id, subject: entry.subject_id, salt, commitment });
  return { ...entry, salt, commitment };
}

/** Fails if the chain has grown or a person was erased since the batch was made; the next attempt reads again. */
async function storeBatch(tx: Tx, { after, waiting, blocks, committed }: Batch): Promise<void> {
  if ((await store.chainEnd(tx)).sequence !== after) throw new Error("Another process has sealed audit entries.");
  await deleteUnsealed(
    tx,
    waiting.map(({ id }) => id),
  );
  for (const each of committed) await commitSubject(tx, each);
  for (const block of blocks) await store.insertBlock(tx, block);
}

export interface AuditSealing extends RecurringJob {
  /** Seals everything that waits. Returns how many entries. */
  sealAll(): Promise<number>;
  /** Why entries are not sealed, for /readyz; null while they are. */
  note(): string | null;
  stop(): Promise<void>;
}

/** An attempt fails if another process was faster. */
const MOST_ATTEMPTS = 5;

export function createAuditSealing(deps: SealingDeps): AuditSealing {
  const { clock, logger } = deps;
  let running: Promise<void> | null = null;
  let isStopped = false;
  let failing: { sinceMs: number; message: string } | null = null;

  async function sealAll(): Promise<number> {
    let sealed = 0;
    for (let failures = 0; !isStopped;) {
      try {
        const some = await sealSome(deps);
        sealed += some;
        failures = 0;
        if (some === 0) return sealed;
      } catch (error) {
        if (++failures === MOST_ATTEMPTS) throw error;
      }
      await othersFirst();
    }
    return sealed;
  }

  async function sealQuietly(): Promise<void> {
    try {
      await sealAll();
      failing = null;
    } catch (error) {
      if (isStopped) return;
      const message = messageOf(error);
      if (failing?.message !== message)
        logger.error("Audit entries could not be sealed; tried again.", { error: message });
      failing = { sinceMs: failing?.sinceMs ?? clock.elapsedMs(), message };
    } finally {
      running = null;
    }
  }

  return {
    name: "seal audit entries",
    pattern: "10,40 * * * * *",
    sealAll,
    // Not awaited: the scheduler does not wait for a long queue.
    async run() {
      running ??= sealQuietly();
    },
    note() {
      if (!failing || clock.elapsedMs() - failing.sinceMs < TOLD_AFTER_MS) return null;
      return `Audit entries are not being sealed: ${failing.message} They are written, and sealed later.`;
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
