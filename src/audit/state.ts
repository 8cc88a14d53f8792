// State of the audit chain, for the doctor and /metrics.
import type { Executor } from "../db/tables.ts";
import * as store from "./chain-store.ts";
import { AuditFault, ChainChecker } from "./checker.ts";
import { idsOf, START } from "./chain.ts";
import { STREAM } from "./stream.ts";

export interface AuditFigures {
  /** Rows of entries that wait for their seal. */
  unsealed: number;
  /** Number of the last sealed entry. */
  lastNumber: number;
  pruned: number;
  sealedAt: number | null;
  headAt: number | null;
  /** Blocks that the collector does not have yet; null without a stream. */
  lagBlocks: number | null;
}

export async function auditFigures(reader: Executor): Promise<AuditFigures> {
  const end = await store.chainEnd(reader);
  const position = await store.positionOf(reader, STREAM);
  return {
    unsealed: await store.countUnsealed(reader),
    lastNumber: end.lastNumber,
    pruned: (await store.stubOf(reader))?.last_number ?? 0,
    sealedAt: (await store.lastBlock(reader))?.sealed_at ?? null,
    headAt: (await store.newestHead(reader))?.at ?? null,
    lagBlocks: position && Math.max(0, end.sequence - position.sequence),
  };
}

/** Time of the entry that has waited longest for its seal; null if none waits. */
export async function unsealedSince(reader: Executor): Promise<number | null> {
  const [first] = await store.unsealedEntries(reader, 1);
  if (!first) return null;
  const [id = first.id] = first.entries === "" ? [] : first.entries.split(" ");
  return (await store.entriesById(reader, [id])).get(id)?.at ?? null;
}

/** Blocks at the end that the doctor verifies. `ringward audit verify` takes the whole chain. */
export const CHECKED_BLOCKS = 20;

/** What is wrong at the end of the chain; null if nothing was found. */
export async function faultAtEnd(reader: Executor): Promise<string | null> {
  const last = await store.lastBlock(reader);
  if (last === null) return null;
  const first = Math.max(0, last.sequence - CHECKED_BLOCKS);
  const before = await store.blockAt(reader, first);
  const stub = store.stubEnd(await store.stubOf(reader));
  const start = before
    ? { sequence: before.sequence, hash: before.hash, lastNumber: before.first_number + before.entry_count - 1 }
    : stub;
  const checker = new ChainChecker(before === null && stub.sequence === 0 ? START : start);
  try {
    for (const block of await store.blocksAfter(reader, start.sequence, CHECKED_BLOCKS)) {
      checker.block(block);
      const found = await store.entriesById(reader, idsOf(block));
      idsOf(block).forEach((id, index) => checker.entry(block, index, found.get(id)));
    }
    return null;
  } catch (error) {
    if (error instanceof AuditFault) return error.message;
    throw error;
  }
}
