// Keeps the audit trail within its limits of age and size: what is beyond them is exported, and then pruned.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SYSTEM_ACTOR } from "../core/actor.ts";
import { DAY_MS, toIso } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { RecurringJob } from "../scheduler/recurring.ts";
import * as store from "./chain-store.ts";
import type { ExportedPart, VerifiedExport } from "./export.ts";
import { writeExportFile } from "./export-file.ts";
import { pruneUpTo, verifiedCover, type PruneDeps } from "./prune.ts";

export interface ExportedParts {
  parts: AsyncGenerator<ExportedPart, void>;
  /** The last block. */
  last: number;
}

export interface Exporting {
  /** Parts of a file with the blocks after `after`, else from the first one, up to `last`; null if there are none. */
  partsOf(last: number, after: number | null): Promise<ExportedParts | null>;
  /** Verifies a file from the disk and remembers it, so that what it has may be pruned. */
  confirm(file: string): Promise<VerifiedExport>;
}

export interface LimitKeepingDeps extends PruneDeps, Exporting {
  logger: Logger;
  limits: { keepDays: number; maxRows: number; exportTo: string };
}

export interface LimitKeeping {
  /** Exports and prunes what is beyond the limits, once a day. */
  job: RecurringJob;
  /** Resolves when the job does nothing. */
  settled(): Promise<void>;
  /** Ends a run after the block or page that is under way. */
  stop(): Promise<void>;
  /** Why the trail is beyond its limits, for /readyz; null if it is not. */
  note(): string | null;
}

export function createLimitKeeping(deps: LimitKeepingDeps): LimitKeeping {
  const { db, logger, limits, partsOf, confirm } = deps;
  let told: string | null = null;
  let doneOnDay = -1;
  let running: Promise<void> | null = null;
  let isStopped = false;

  async function keepLimits(now: number): Promise<string | null> {
    const due = await dueBlock(deps, now);
    const stub = store.stubEnd(await store.stubOf(db.reader));
    if (due <= stub.sequence) return null;
    if (limits.exportTo === "") {
      return (
        "The audit trail is beyond audit.keep_days or audit.max_rows, and nothing is removed without an export. " +
        'Set audit.export_to, or run "ringward audit export" and "ringward audit prune".'
      );
    }
    if (doneOnDay === Math.floor(now / DAY_MS)) return told;
    await exportOld(due, stub.sequence);
    const { entries } = await pruneUpTo(deps, due, SYSTEM_ACTOR, goOn);
    logger.info("Audit entries were exported and pruned.", { entries });
    doneOnDay = Math.floor(now / DAY_MS);
    return null;
  }

  function goOn(): void {
    if (isStopped) throw new Error("The server stops.");
  }

  async function* whileWanted(parts: AsyncIterable<ExportedPart>): AsyncGenerator<ExportedPart, void> {
    for await (const part of parts) {
      goOn();
      yield part;
    }
  }

  /** What earlier exports have is not exported again, unless their files are lost or changed. */
  async function exportOld(due: number, pruned: number): Promise<void> {
    const { covered, faults } = await verifiedCover(db.reader, pruned, due);
    for (const fault of faults)
      logger.warn("An export of the audit trail is lost or changed; its entries are exported again.", { fault });
    const rest = await partsOf(due, covered);
    if (rest === null) return;
    const file = freeName(join(limits.exportTo, `audit-${String(covered + 1).padStart(9, "0")}-${due}`));
    await writeExportFile(file, whileWanted(rest.parts));
    await confirm(file);
  }

  async function keepQuietly(now: number): Promise<void> {
    try {
      told = await keepLimits(now);
    } catch (error) {
      if (isStopped) return;
      told = `The audit trail could not be exported and pruned (${toIso(now)}): ${messageOf(error)}`;
      logger.error("The audit trail could not be exported and pruned; tried again in an hour.", {
        error: messageOf(error),
      });
    } finally {
      running = null;
    }
  }

  return {
    job: {
      name: "keep the audit trail within its limits",
      pattern: "43 * * * *",
      isDestructive: true,
      // Not awaited: calls go out meanwhile.
      async run(now) {
        if (isStopped || (limits.keepDays === 0 && limits.maxRows === 0)) return;
        running ??= keepQuietly(now);
      },
    },
    async settled() {
      await running;
    },
    async stop() {
      isStopped = true;
      await running;
    },
    note: () => told,
  };
}

/** A changed file is evidence, and is not overwritten. */
function freeName(name: string): string {
  let file = `${name}.jsonl`;
  for (let count = 2; existsSync(file); count++) file = `${name}-${count}.jsonl`;
  return file;
}

/** The last block beyond the limits. */
async function dueBlock({ db, limits }: LimitKeepingDeps, now: number): Promise<number> {
  const { keepDays, maxRows } = limits;
  const byAge = keepDays === 0 ? 0 : await store.lastBlockBefore(db.heavy, now - keepDays * DAY_MS);
  if (maxRows === 0) return byAge;
  const { lastNumber } = await store.chainEnd(db.reader);
  return Math.max(byAge, await store.lastBlockUpTo(db.heavy, lastNumber - maxRows));
}
