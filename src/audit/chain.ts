// The audit chain: each entry has a hash (leaf), each block the hashes of up to a hundred entries and the hash of the
// block before. The form is specified in the handbook (security-and-privacy.md, Audit log).
import { toIso } from "../core/clock.ts";
import { sha256Hex } from "../core/hmac.ts";
import { canonicalJson } from "../rules/proof/canonical.ts";
import type { AuditBlock, ChainedEntry } from "./records.ts";

export const BLOCK_FORMAT = "ringward-audit-block-1";
export const MOST_PER_BLOCK = 100;
/** Hash before the first block. */
export const NO_HASH = "0".repeat(64);
const HEX_OF_HASH = 64;

/** Entries about contacts: their subject is replaced when the person is erased, and the chain must outlive that. */
export const isCommitted = ({ action }: Pick<ChainedEntry, "action">): boolean => action === "contact.read";

/** Salted hash of a subject. Without the salt it cannot be told from another one's. */
export const commitmentTo = (salt: string, subjectId: string | null): string =>
  sha256Hex(JSON.stringify([salt, subjectId]));

/** Replacements of erased subjects. */
const REPLACED = /^gone_[0-9a-z]+$/;

/** Whether the subject is the one that was sealed, or was replaced by an erasure. */
export function hasItsSubject({ salt, commitment, subject_id }: ChainedEntry): boolean {
  if (commitment === null) return salt === null;
  if (salt !== null) return commitment === commitmentTo(salt, subject_id);
  return subject_id !== null && REPLACED.test(subject_id);
}

export function leafOf(entry: ChainedEntry): string {
  const { id, organisation_id, at, actor_kind, actor_id, action, subject_id, commitment, detail, request_id } = entry;
  const subject = commitment === null ? subject_id : { commitment };
  return sha256Hex(
    JSON.stringify([id, organisation_id, at, actor_kind, actor_id, action, subject, detail, request_id]),
  );
}

/** In place of an entry that was gone before it was sealed. No entry has this hash. */
export const missingLeaf = (id: string): string => sha256Hex(JSON.stringify(["missing", id]));

export interface ChainEnd {
  /** Of the last block; 0 before the first. */
  sequence: number;
  hash: string;
  /** Number of the last entry. */
  lastNumber: number;
}

export const START: ChainEnd = { sequence: 0, hash: NO_HASH, lastNumber: 0 };

export const endOf = ({ sequence, hash, first_number, entry_count }: AuditBlock): ChainEnd => ({
  sequence,
  hash,
  lastNumber: first_number + entry_count - 1,
});

/** What the hash of a block covers. */
export function blockText(block: Omit<AuditBlock, "hash" | "entry_ids">, previous: string): string {
  return canonicalJson({
    entries: block.entry_count,
    first: block.first_number,
    format: BLOCK_FORMAT,
    leaves: sha256Hex(block.leaves),
    newest: toIso(block.newest_at),
    previous,
    sealed: toIso(block.sealed_at),
    sequence: block.sequence,
  });
}

export function sealedBlock(
  end: ChainEnd,
  entries: readonly { id: string; leaf: string; at: number }[],
  sealedAt: number,
): AuditBlock {
  const block = {
    sequence: end.sequence + 1,
    first_number: end.lastNumber + 1,
    entry_count: entries.length,
    sealed_at: sealedAt,
    newest_at: Math.max(...entries.map(({ at }) => at)),
    entry_ids: entries.map(({ id }) => id).join(" "),
    leaves: entries.map(({ leaf }) => leaf).join(""),
  };
  return { ...block, hash: sha256Hex(blockText(block, end.hash)) };
}

export const idsOf = ({ entry_ids }: Pick<AuditBlock, "entry_ids">): string[] => entry_ids.split(" ");

export const leavesOf = ({ leaves }: Pick<AuditBlock, "leaves">): string[] =>
  leaves.match(new RegExp(`.{1,${HEX_OF_HASH}}`, "g")) ?? [];
