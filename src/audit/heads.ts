// Signs the head of the audit chain in every hour in which it grew, stores it, and writes it to a file in the data
// folder. After a restore the file shows that the database's chain is another one.
import { allOrganisations } from "../accounts/organisation-store.ts";
import type { Audit } from "../accounts/audit.ts";
import { SYSTEM_ACTOR } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Database } from "../db/database.ts";
import { keepContradicted, keptHeads, replaceHead, UNREADABLE } from "../rules/proof/head-file.ts";
import type { ProofKeys } from "../rules/proof/proof-keys.ts";
import type { RecurringJob } from "../scheduler/recurring.ts";
import * as store from "./chain-store.ts";
import { AuditFault } from "./checker.ts";
import { HEAD_FORMAT, readAuditHead, signedHead, type AuditHead } from "./head.ts";

export interface AuditHeadsDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  audit: Pick<Audit, "record">;
  proofKeys: Pick<ProofKeys, "current">;
  /** Empty: no file. */
  headFile: string;
}

/** In the data folder. */
export const HEAD_FILE = "audit.head";
export const CHAIN_FORKED = "audit.chain_forked";

export interface AuditHeads extends RecurringJob {
  /** Signs the head now. Null before the first block. */
  sign(): Promise<string | null>;
  /** Signs it, and writes it to the file. */
  publish(): Promise<void>;
  stop(): Promise<void>;
  /** Heads that the chain contradicts, for /readyz; null if there is none. */
  note(): string | null;
}

export function createAuditHeads({ db, clock, logger, audit, proofKeys, headFile }: AuditHeadsDeps): AuditHeads {
  let kept: readonly string[] = [];
  let running: Promise<void> | null = null;
  let isStopped = false;

  async function sign(): Promise<string | null> {
    const last = await store.lastBlock(db.reader);
    const newest = await store.newestHead(db.reader);
    if (last === null) return newest?.line ?? null;
    if (newest?.sequence === last.sequence) return newest.line;
    const signer = await proofKeys.current();
    const at = clock.now();
    const end = { sequence: last.sequence, hash: last.hash, lastNumber: last.first_number + last.entry_count - 1 };
    const line = signedHead(HEAD_FORMAT, end, at, signer);
    await db.write((tx) => store.insertHead(tx, { sequence: last.sequence, at, line }));
    return line;
  }

  /** The evidence of a fork is kept, and the fork stands in the new chain. */
  async function toFile(line: string): Promise<void> {
    const copy = await keepContradicted(headFile, (head) => contradictedHead(db.reader, head));
    if (copy !== null) {
      logger.warn(
        "The audit chain has not the block that its former head names: the database was restored or changed.",
        {
          file: copy,
        },
      );
      await db.write(async (tx) => {
        for (const { id: organisationId } of await allOrganisations(tx)) {
          await audit.record(tx, { organisationId, actor: SYSTEM_ACTOR, action: CHAIN_FORKED });
        }
      });
    }
    await replaceHead(headFile, line);
  }

  async function publish(): Promise<void> {
    const line = await sign();
    if (headFile === "") return;
    if (line !== null) await toFile(line);
    kept = await keptHeads(headFile);
  }

  async function publishQuietly(): Promise<void> {
    try {
      await publish();
    } catch (error) {
      if (isStopped) return;
      logger.error("The head of the audit chain could not be signed; tried again in an hour.", {
        error: messageOf(error),
      });
    } finally {
      running = null;
    }
  }

  return {
    name: "sign the head of the audit chain",
    pattern: "6 * * * *",
    sign,
    publish,
    // Not awaited: the scheduler does not wait for a file.
    async run() {
      if (!isStopped) running ??= publishQuietly();
    },
    async stop() {
      isStopped = true;
      await running;
    },
    note() {
      if (kept.length === 0) return null;
      return (
        "A signed head of the audit trail names a block that is not in its chain: the database was restored or changed. " +
        `The head is kept as ${kept.join(", ")}. Move it to a safe place to end this note.`
      );
    },
  };
}

/** Name of the head that the stored chain contradicts; null if the chain has its block, or had it before pruning. */
export async function contradictedHead(reader: Database["reader"], line: string): Promise<string | null> {
  let head: AuditHead;
  try {
    // By any key: a restored database may not have the newest one.
    head = readAuditHead(line, HEAD_FORMAT, null);
  } catch (error) {
    if (error instanceof AuditFault) return UNREADABLE;
    throw error;
  }
  const { sequence, last } = head;
  const stub = await store.stubOf(reader);
  if (stub && sequence < stub.sequence) return null;
  const hash = stub?.sequence === sequence ? stub.hash : (await store.blockAt(reader, sequence))?.hash;
  return hash === last ? null : String(sequence);
}
