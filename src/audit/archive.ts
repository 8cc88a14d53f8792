// Exports of the audit trail to files, and pruning of what they have. Used by the commands, and by the job that keeps
// the trail within its limits of age and size.
import type { Actor } from "../core/actor.ts";
import { AppError } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import type { ChainEnd } from "./chain.ts";
import * as store from "./chain-store.ts";
import { exportedParts, type VerifiedExport } from "./export.ts";
import { verifyExportFile } from "./export-file.ts";
import { HEAD_FORMAT, signedHead } from "./head.ts";
import {
  createLimitKeeping,
  type ExportedParts,
  type Exporting,
  type LimitKeeping,
  type LimitKeepingDeps,
} from "./limits.ts";
import { keysOf, pruneUpTo, type PruneReport } from "./prune.ts";

export interface ArchiveDeps extends Omit<LimitKeepingDeps, keyof Exporting> {
  ids: Pick<Ids, "next">;
}

export interface Archive extends Pick<Exporting, "confirm">, LimitKeeping {
  /** Parts of a file with the entries until a time; null if there are none. `from`: a block, else the first one. */
  exported(until: number, after?: number): Promise<ExportedParts | null>;
  /** The last block whose entries are all before this time, and those of all blocks before it; 0 if there is none. */
  lastBlockBefore(time: number): Promise<number>;
  prune(last: number, actor: Actor, progress?: (entries: number) => void): Promise<PruneReport>;
}

export function createArchive(deps: ArchiveDeps): Archive {
  const { db, clock, ids, proofKeys } = deps;
  const signEnd = async (end: ChainEnd) => signedHead(HEAD_FORMAT, end, clock.now(), await proofKeys.current());

  async function partsOf(last: number, after: number | null): Promise<ExportedParts | null> {
    const stub = store.stubEnd(await store.stubOf(db.reader));
    const block = after === null || after <= stub.sequence ? null : await store.blockAt(db.reader, after);
    const start = block
      ? { sequence: block.sequence, hash: block.hash, lastNumber: block.first_number + block.entry_count - 1 }
      : stub;
    if (last <= start.sequence) return null;
    return { parts: exportedParts(db.heavy, { after: start, last }, signEnd), last };
  }

  async function confirm(file: string): Promise<VerifiedExport> {
    const verified = await verifyExportFile(file, await keysOf(db.reader));
    const { after, end } = verified;
    const stored = await store.blockAt(db.reader, end.sequence);
    if (stored?.hash !== end.hash) throw new AppError("CONFLICT", `${file} is not of this audit trail.`);
    await db.write((tx) =>
      store.insertExport(tx, {
        id: ids.next("aux"),
        file,
        first_block: after.sequence + 1,
        last_block: end.sequence,
        last_hash: end.hash,
        verified_at: clock.now(),
      }),
    );
    return verified;
  }

  const keeping = createLimitKeeping({ ...deps, partsOf, confirm });

  return {
    async exported(until, after) {
      const last = await store.lastBlockBefore(db.reader, until);
      return partsOf(last, after ?? null);
    },
    confirm,
    lastBlockBefore: (time) => store.lastBlockBefore(db.reader, time),
    prune: (last, actor, progress) => pruneUpTo(deps, last, actor, progress),
    ...keeping,
  };
}
