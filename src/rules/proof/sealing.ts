// Sealing of proofs. The transaction that ends a call only stores the facts; later they get their place in the chains,
// a hash and a signature, in batches. Ends of calls therefore never wait for one another.
import { MINUTE_MS, othersFirst, SECOND_MS } from "../../core/clock.ts";
import type { DueSource } from "../../core/due-source.ts";
import { messageOf } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { Tx } from "../../db/tables.ts";
import { MOST_PER_BATCH, sealBatch, type BatchDeps } from "./batch.ts";
import { insertUnsealed } from "./proof-store.ts";
import { factsOf, type EndedCall } from "./record.ts";

export interface SealingDeps extends BatchDeps {
  logger: Logger;
  wake: () => void;
}

/** Stores what the proof of an ended call will state, in the transaction that ends it. */
export async function noteForProof(tx: Tx, call: EndedCall): Promise<void> {
  await insertUnsealed(tx, { call_id: call.callId, ended_at: call.endedAt, facts: JSON.stringify(factsOf(call)) });
}

/** Under load, calls that end within this time share a transaction. */
const REST_MS = SECOND_MS;
const PAUSE_AFTER_FAILURE_MS = 5 * SECOND_MS;
/** /readyz reports failures that last longer. */
const TOLD_AFTER_MS = MINUTE_MS;

export interface Sealing extends DueSource {
  /** Seals everything that waits. Returns how many. */
  sealAll(): Promise<number>;
  /** Why proofs are not sealed, for /readyz; null while they are. */
  note(): string | null;
  stop(): Promise<void>;
}

export function createSealing(deps: SealingDeps): Sealing {
  const { clock, logger, wake } = deps;
  let running: Promise<void> | null = null;
  let isStopped = false;
  let notBeforeMs = -Infinity;
  let failing: { sinceMs: number; message: string } | null = null;

  async function sealAll(): Promise<number> {
    let sealed = 0;
    for (;;) {
      const some = await sealBatch(deps);
      sealed += some;
      if (some < MOST_PER_BATCH || isStopped) return sealed;
      await othersFirst();
    }
  }

  async function sealAndRest(): Promise<void> {
    try {
      if ((await sealAll()) > 0) notBeforeMs = clock.elapsedMs() + REST_MS;
      failing = null;
    } catch (error) {
      if (isStopped) return;
      const message = messageOf(error);
      if (failing?.message !== message)
        logger.error("Proofs of calls could not be sealed; tried again.", { error: message });
      failing = { sinceMs: failing?.sinceMs ?? clock.elapsedMs(), message };
      notBeforeMs = clock.elapsedMs() + PAUSE_AFTER_FAILURE_MS;
    } finally {
      running = null;
    }
    // Calls that ended meanwhile.
    if (notBeforeMs > clock.elapsedMs()) wake();
  }

  return {
    name: "proofs",
    sealAll,
    async runDue() {
      if (running || isStopped) return null;
      const restMs = notBeforeMs - clock.elapsedMs();
      if (restMs > 0) return clock.now() + restMs;
      // Not awaited: dialling does not wait for signatures.
      running = sealAndRest();
      return null;
    },
    note() {
      if (!failing || clock.elapsedMs() - failing.sinceMs < TOLD_AFTER_MS) return null;
      return `Proofs of calls are not being sealed: ${failing.message} Calls go on, and their proofs are sealed later.`;
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
