// Proofs for their readers: of one call, of a period, and the head of a chain. They hold nothing personal, so reading
// them is not audited.
import { DAY_MS, type Clock } from "../../core/clock.ts";
import { AppError, invalidField } from "../../core/errors.ts";
import { parseIsoTime } from "../../core/iso-time.ts";
import type { CALL_STATES } from "../../payloads/call-state.ts";
import type { Database } from "../../db/database.ts";
import type { Executor } from "../../db/tables.ts";
import { headOf } from "./head.ts";
import type { ProofKeys } from "./proof-keys.ts";
import { isUnsealed, lastProof, lastProofOf, ownProofs, ownRange, proofOf } from "./proof-store.ts";
import type { ProofRecord } from "./record.ts";
import { signedLine } from "./signature.ts";

type CallState = (typeof CALL_STATES)[number];

export interface ProofServiceDeps {
  db: Database;
  clock: Clock;
  proofKeys: Pick<ProofKeys, "current" | "list">;
  /** Undefined for an unknown call, and for another organisation's. */
  callOf: (executor: Executor, organisationId: string, callId: string) => Promise<{ state: CallState } | undefined>;
}

export interface Period {
  /** ISO 8601 with offset; by the time of sealing. */
  from?: string | undefined;
  to?: string | undefined;
}

interface SealedProof {
  hash: string;
  record: ProofRecord;
}
export type ProofView = ({ state: "sealed" } & SealedProof) | { state: "sealing" | "none" };

const LONGEST_PERIOD_MS = 366 * DAY_MS;
const PAGE = 500;
const ENDED: readonly CallState[] = ["completed", "failed", "disallowed"];

export type ProofService = ReturnType<typeof createProofService>;

export function createProofService({ db, clock, proofKeys, callOf }: ProofServiceDeps) {
  /** One line, as it was sealed. */
  async function get(organisationId: string, callId: string): Promise<string> {
    const line = await proofOf(db.reader, organisationId, callId);
    if (line !== null) return line;
    const state = (await callOf(db.reader, organisationId, callId))?.state;
    if (state === undefined) throw new AppError("NOT_FOUND", "No call or proof has this id.");
    if (state === "cancelled") {
      throw new AppError("NOT_FOUND", "The call was cancelled before it was dialled, so it has no proof.");
    }
    if (!ENDED.includes(state)) {
      throw new AppError("CONFLICT", "The call has not ended. Its proof is ready seconds after its end.");
    }
    if (await isUnsealed(db.reader, callId)) {
      throw new AppError("CONFLICT", "The proof is being sealed. Try again in a few seconds.", {
        retryAfterSeconds: 5,
      });
    }
    throw new AppError("NOT_FOUND", "The call ended before this appliance made proofs.");
  }

  /** For the call's page. Throws only for an unknown call. */
  async function view(organisationId: string, callId: string): Promise<ProofView> {
    const line = await proofOf(db.reader, organisationId, callId);
    if (line !== null) return { state: "sealed", ...(JSON.parse(line) as SealedProof) };
    if (!(await callOf(db.reader, organisationId, callId))) throw new AppError("NOT_FOUND", "No call has this id.");
    return { state: (await isUnsealed(db.reader, callId)) ? "sealing" : "none" };
  }

  function periodOf({ from, to }: Period): { from: number; to: number } {
    const until = to === undefined ? clock.now() + 1 : parseIsoTime("to", to);
    const since = from === undefined ? until - DAY_MS : parseIsoTime("from", from);
    if (since >= until) throw invalidField("from", "from must be before to.");
    if (until - since > LONGEST_PERIOD_MS) throw invalidField("from", "A period may have 366 days at most.");
    return { from: since, to: until };
  }

  /** Lines of the organisation's own chain, without a gap, in pages of text. */
  async function* exported(organisationId: string, asked: Period): AsyncGenerator<string, void> {
    const range = await ownRange(db.heavy, organisationId, periodOf(asked));
    if (range === null) {
      yield "";
      return;
    }
    for (let { first } = range; first <= range.last;) {
      const rows = await ownProofs(db.heavy, organisationId, { ...range, first }, PAGE);
      if (rows.length === 0) return;
      yield rows.map(({ line }) => `${line}\n`).join("");
      first = (rows.at(-1)?.sequence ?? range.last) + 1;
    }
  }

  /** Of the organisation's chain, or the appliance's; null before its first record. */
  async function head(organisationId: string | null): Promise<string | null> {
    const last = organisationId === null ? await lastProof(db.reader) : await lastProofOf(db.reader, organisationId);
    if (!last) return null;
    const signer = await proofKeys.current();
    const chain = { organisationId, last: last.hash, sequence: last.sequence };
    return signedLine("head", headOf(signer.key, chain, clock.now()), signer).line;
  }

  return {
    get,
    view,
    exported,
    head,
    /** Every key that signed proofs here. */
    async keys() {
      await proofKeys.current();
      return { keys: await proofKeys.list() };
    },
  };
}
