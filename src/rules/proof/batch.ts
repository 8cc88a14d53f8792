// Seals a batch of proofs in one transaction: after a crash it is sealed as a whole, or not at all and later again.
import { createTurns, type Clock } from "../../core/clock.ts";
import type { Database } from "../../db/database.ts";
import type { Executor, Tx } from "../../db/tables.ts";
import type { ProofKeys } from "./proof-keys.ts";
import { deleteUnsealed, insertProof, lastProof, lastProofOf, unsealedProofs, type ChainEnd } from "./proof-store.ts";
import { NO_HASH, recordOf, type ChainPlace, type ProofFacts } from "./record.ts";
import type { StoredProof, UnsealedProof } from "./records.ts";
import { signedLine } from "./signature.ts";

export interface BatchDeps {
  db: Database;
  clock: Clock;
  proofKeys: Pick<ProofKeys, "current">;
  /** The version of an agent at a time; null if it is not kept any more. Made for each batch. */
  agentVersionsIn: (executor: Executor) => (agentId: string, at: number) => Promise<number | null>;
}

/** Keeps the transaction at a few milliseconds. */
export const MOST_PER_BATCH = 50;

/** Returns how many were sealed; zero if none waits. */
export async function sealBatch(deps: BatchDeps): Promise<number> {
  const { db } = deps;
  for (;;) {
    const waiting = await unsealedProofs(db.reader, MOST_PER_BATCH);
    if (waiting.length === 0) return 0;
    const end = await lastProof(db.reader);
    const rows = await sealedRows(deps, waiting, end);
    const isSealed = await db.write((tx) => storeBatch(tx, rows, end?.sequence ?? 0), { lane: "proofs" });
    if (isSealed) return rows.length;
  }
}

/** Signs outside the transaction, and yields between signatures. */
async function sealedRows(
  { db: { reader }, clock, proofKeys, agentVersionsIn }: BatchDeps,
  waiting: readonly UnsealedProof[],
  end: ChainEnd | null,
): Promise<StoredProof[]> {
  const signer = await proofKeys.current();
  const places = new Places(reader, end);
  const versionAt = agentVersionsIn(reader);
  const yields = createTurns();
  const rows: StoredProof[] = [];
  for (const { call_id, facts: text } of waiting) {
    const facts = JSON.parse(text) as ProofFacts;
    const { agent_id, organisation_id, times } = facts;
    const { chain, own } = await places.next(organisation_id);
    const agentVersion = await versionAt(agent_id, Date.parse(times.triggered ?? times.ended));
    const sealedAt = clock.now();
    const record = recordOf(facts, { key: signer.key, agentVersion, chain, own, sealedAt });
    const { hash, line } = signedLine("record", record, signer);
    places.take(organisation_id, hash);
    const { sequence } = chain;
    rows.push({ sequence, organisation_id, own_sequence: own.sequence, call_id, sealed_at: sealedAt, hash, line });
    await yields();
  }
  return rows;
}

/** The next free places in both chains, while a batch is built. */
class Places {
  #chain: ChainPlace;
  readonly #own = new Map<string, ChainPlace>();

  constructor(
    private readonly reader: Executor,
    end: ChainEnd | null,
  ) {
    this.#chain = placeAfter(end);
  }

  async next(organisationId: string): Promise<{ chain: ChainPlace; own: ChainPlace }> {
    let own = this.#own.get(organisationId);
    if (!own) this.#own.set(organisationId, (own = placeAfter(await lastProofOf(this.reader, organisationId))));
    return { chain: this.#chain, own };
  }

  take(organisationId: string, hash: string): void {
    const own = this.#own.get(organisationId);
    this.#chain = placeAfter({ sequence: this.#chain.sequence, hash });
    if (own) this.#own.set(organisationId, placeAfter({ sequence: own.sequence, hash }));
  }
}

const placeAfter = (end: ChainEnd | null): ChainPlace => ({
  previous: end?.hash ?? NO_HASH,
  sequence: (end?.sequence ?? 0) + 1,
});

/** False if the chain has grown since it was read; nothing is stored then. */
async function storeBatch(tx: Tx, rows: readonly StoredProof[], after: number): Promise<boolean> {
  if (((await lastProof(tx))?.sequence ?? 0) !== after) return false;
  await deleteUnsealed(
    tx,
    rows.map(({ call_id }) => call_id),
  );
  for (const row of rows) await insertProof(tx, row);
  return true;
}
