// Publishes the heads of the chains once a day: the appliance's to a file, and each organisation's as an event. A head
// that was published elsewhere shows later that no record was removed or replaced.
import { allOrganisations } from "../../accounts/organisation-store.ts";
import { DAY_MS } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { Database } from "../../db/database.ts";
import { heartbeats, recordHeartbeat } from "../../db/heartbeat-store.ts";
import type { Tx } from "../../db/tables.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { ProofHeadEvent } from "../../payloads/proof-head.ts";
import type { RecurringJob } from "../../scheduler/recurring.ts";
import { contradicted, keepContradicted, keptHeads, replaceHead } from "./head-file.ts";
import type { HeadRecord } from "./head.ts";
import type { ProofService } from "./proof-service.ts";

export interface HeadsDeps {
  db: Database;
  logger: Logger;
  outbox: Pick<Outbox, "publish">;
  proofs: Pick<ProofService, "head">;
  /** `proofs.head_file`; empty: no file. */
  headFile: string;
}

const IN_FILE = "proof head in a file";
const IN_EVENTS = "proof heads in events";
const dayOf = (at: number) => Math.floor(at / DAY_MS);

export interface Heads extends RecurringJob {
  /** Heads that were kept because the chain contradicts them, for /readyz; null if there is none. */
  note(): string | null;
}

export function createHeads({ db, logger, outbox, proofs, headFile }: HeadsDeps): Heads {
  let kept: readonly string[] = [];

  async function isDone(executor: Database["reader"], name: string, now: number): Promise<boolean> {
    const at = (await heartbeats(executor)).find((row) => row.name === name)?.at;
    return at !== undefined && dayOf(at) === dayOf(now);
  }

  async function toEvents(now: number): Promise<void> {
    if (await isDone(db.reader, IN_EVENTS, now)) return;
    const found: { organisationId: string; data: ProofHeadEvent }[] = [];
    for (const { id: organisationId } of await allOrganisations(db.reader)) {
      const line = await proofs.head(organisationId);
      if (line !== null) found.push({ organisationId, data: eventOf(line) });
    }
    await db.write(async (tx: Tx) => {
      // Another server may have published them.
      if (await isDone(tx, IN_EVENTS, now)) return;
      for (const { organisationId, data } of found) {
        await outbox.publish(tx, {
          organisationId,
          type: "proof.head",
          data,
          orderKey: `proof.head/${organisationId}`,
        });
      }
      await recordHeartbeat(tx, IN_EVENTS, now);
    });
  }

  async function toFile(now: number): Promise<void> {
    if (headFile === "" || (await isDone(db.reader, IN_FILE, now))) return;
    const line = await proofs.head(null);
    if (line === null) return;
    const copy = await keepContradicted(headFile, (head) => contradicted(head, db.reader));
    if (copy !== null) {
      logger.warn("The published head of the proofs is not in the chain. It is kept; see the handbook, Heads.", {
        file: copy,
      });
    }
    await replaceHead(headFile, line);
    await db.write((tx) => recordHeartbeat(tx, IN_FILE, now));
  }

  return {
    name: "publish the heads of proofs",
    // Hourly, so a head that could not be published follows within the hour.
    pattern: "4 * * * *",
    async run(now) {
      await toEvents(now);
      await toFile(now);
      if (headFile !== "") kept = await keptHeads(headFile);
    },
    note() {
      if (kept.length === 0) return null;
      return (
        `A published head names a record that is not in the chain: the database was restored or changed. ` +
        `It is kept as ${kept.join(", ")}. Move it to a safe place to end this note.`
      );
    },
  };
}

function eventOf(line: string): ProofHeadEvent {
  const { head } = JSON.parse(line) as { head: HeadRecord };
  return { sequence: head.sequence, last: head.last, at: head.at, line };
}
