// Verification of the audit chain, block by block: of the database, or of an exported file.
import { sha256Hex } from "../core/hmac.ts";
import { blockText, endOf, hasItsSubject, idsOf, leafOf, leavesOf, NO_HASH, START, type ChainEnd } from "./chain.ts";
import type { AuditBlock, ChainedEntry } from "./records.ts";

export class AuditFault extends Error {
  override name = "AuditFault";
}

/** Throws AuditFault at the first fault, which names the entry. */
export class ChainChecker {
  entries = 0;
  blocks = 0;

  constructor(public end: ChainEnd = START) {}

  /** The block continues the chain, and has the hash that it states. */
  block(block: AuditBlock): void {
    const { sequence, hash, lastNumber } = this.end;
    if (block.sequence !== sequence + 1) {
      throw new AuditFault(
        block.sequence > sequence
          ? `Block ${sequence + 1}, with the entries from ${lastNumber + 1} on, is missing.`
          : `Block ${block.sequence} follows block ${sequence}: out of order or twice.`,
      );
    }
    const name = `Block ${block.sequence} (entries ${block.first_number} to ${block.first_number + block.entry_count - 1})`;
    if (block.first_number !== lastNumber + 1) throw new AuditFault(`${name} does not continue entry ${lastNumber}.`);
    const isWhole = block.entry_count > 0 && leavesOf(block).length === block.entry_count;
    if (!isWhole || idsOf(block).length !== block.entry_count) throw new AuditFault(`${name} was changed.`);
    if (sha256Hex(textOf(block, hash, name)) !== block.hash) {
      throw new AuditFault(`${name} was changed, or does not continue the block before.`);
    }
    this.end = endOf(block);
    this.blocks += 1;
  }

  /** The entry with this place in the block. */
  entry(block: AuditBlock, index: number, entry: ChainedEntry | undefined): void {
    const id = idsOf(block)[index] ?? "";
    const name = `Entry ${block.first_number + index} (${id})`;
    if (!entry) throw new AuditFault(`${name} was removed.`);
    if (entry.id !== id) throw new AuditFault(`${name} was exchanged for ${entry.id}.`);
    if (leafOf(entry) !== leavesOf(block)[index]) throw new AuditFault(`${name} was changed.`);
    if (!hasItsSubject(entry)) throw new AuditFault(`${name} has another subject than it was sealed with.`);
    this.entries += 1;
  }
}

function textOf(block: AuditBlock, previous: string, name: string): string {
  try {
    return blockText(block, previous);
  } catch {
    // A time or number out of range.
    throw new AuditFault(`${name} was changed.`);
  }
}

/** Whether a chain that starts here can be checked against nothing before it. */
export const isStart = ({ hash }: ChainEnd): boolean => hash === NO_HASH;
