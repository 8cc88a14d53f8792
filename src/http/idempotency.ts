// Idempotency-Key: a repeated request is executed once and answered twice. The stored response commits in the same
// transaction as the operation, so neither exists without the other.
import { HOUR_MS, type Clock } from "../core/clock.ts";
import { AppError, invalidField } from "../core/errors.ts";
import { sha256Hex, sha256Parts, type Sha256Parts } from "../core/hmac.ts";
import type { Database } from "../db/database.ts";
import { NO_PROGRESS, type Progress } from "../db/alongside.ts";
import type { Tx } from "../db/tables.ts";
import {
  deleteExpiredResponses,
  ERASED,
  lengthenKeys,
  rememberedResponse,
  saveResponse,
  UNFINISHED,
} from "./idempotency-store.ts";

export interface Reply<Body> {
  status: number;
  body: Body;
}

/** Must be called inside the operation's transaction, with the response and the record it concerns. */
export type Remember = (tx: Tx, reply: Reply<unknown>, subjectId: string | null) => Promise<void>;

export interface IdempotentRequest {
  organisationId: string;
  /** Key or token: two credentials never share an idempotency key. */
  credentialId: string;
  route: string;
  /** The raw header; null if there was none. */
  header: string | null;
  /** Identifies the request (requestHashOf). Called only if there is a key. */
  requestHash: () => string;
}

/** `address`: its identifying part; empty if the body alone identifies the request. */
export const requestHasher = (address: string): Sha256Parts =>
  address === "" ? sha256Parts() : sha256Parts(`${address}\n`);

export function requestHashOf(address: string, rawBody: Uint8Array): string {
  const parts = requestHasher(address);
  parts.add(rawBody);
  return parts.hex();
}

/** State left by an earlier request with the same key: its response, or its progress. */
type Earlier<Body> = { reply: Reply<Body>; from: null } | { reply: null; from: number };

/** Another process finished first: this transaction is rolled back, and the other's response is returned. */
class AlreadyAnswered extends Error {}

const inProgress = () =>
  new AppError("IDEMPOTENCY_IN_PROGRESS", "The first request with this Idempotency-Key is still running.", {
    retryAfterSeconds: 1,
  });

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

export function createIdempotency(deps: { db: Database; clock: Clock; keepHours: number }) {
  const { db, clock, keepHours } = deps;
  const inFlight = new Set<string>();

  /** Null if the key is new or expired. */
  async function earlierOf<Body>(scopeHash: string, requestHash: string): Promise<Earlier<Body> | null> {
    const row = await rememberedResponse(db.reader, scopeHash);
    if (!row || row.expires_at <= clock.now()) return null;
    // Regardless of the current body: the hash of the original one is erased as well.
    if (row.response === ERASED) {
      throw new AppError(
        "NOT_FOUND",
        "The record that this Idempotency-Key created has been erased. Nothing was created now; a new record needs a new key.",
      );
    }
    if (row.request_hash !== requestHash) {
      throw new AppError(
        "IDEMPOTENCY_KEY_REUSED",
        "This Idempotency-Key was used with another request. Use a new key.",
      );
    }
    if (row.status === UNFINISHED) return { reply: null, from: Number(row.response) };
    return { reply: { status: row.status, body: JSON.parse(row.response) as Body }, from: null };
  }

  return {
    async run<Body>(
      request: IdempotentRequest,
      act: (remember: Remember, progress: Progress) => Promise<Reply<Body>>,
    ): Promise<Reply<Body> & { replayed: boolean }> {
      const key = parseKey(request.header);
      if (key === null) return { ...(await act(async () => {}, NO_PROGRESS)), replayed: false };

      const { organisationId, credentialId, route } = request;
      const scopeHash = sha256Hex(JSON.stringify([organisationId, credentialId, route, key]));
      const requestHash = request.requestHash();
      if (inFlight.has(scopeHash)) throw inProgress();
      inFlight.add(scopeHash);
      try {
        // Avoids repeating the work; the key stored with the operation is authoritative.
        const earlier = await earlierOf<Body>(scopeHash, requestHash);
        if (earlier?.reply) return { ...earlier.reply, replayed: true };
        const save = async (tx: Tx, status: number, response: string, subjectId: string | null): Promise<void> => {
          const now = clock.now();
          const row = {
            scope_hash: scopeHash,
            organisation_id: organisationId,
            request_hash: requestHash,
            status,
            response,
            subject_id: subjectId,
            expires_at: now + keepHours * HOUR_MS,
          };
          if (!(await saveResponse(tx, row, now))) throw new AlreadyAnswered();
        };
        const reply = await act(
          (tx, { status, body }, subjectId) => save(tx, status, JSON.stringify(body), subjectId),
          { from: earlier?.from ?? null, keep: (tx, upTo) => save(tx, UNFINISHED, String(upTo), null) },
        );
        return { ...reply, replayed: false };
      } catch (error) {
        if (!(error instanceof AlreadyAnswered)) throw error;
        const earlier = await earlierOf<Body>(scopeHash, requestHash);
        if (!earlier?.reply) throw inProgress();
        return { ...earlier.reply, replayed: true };
      } finally {
        inFlight.delete(scopeHash);
      }
    },

    /** The clock jumped forward to `to`: extends keys that were valid before by the same amount. */
    moveForward: (tx: Tx, { to, byMs }: { to: number; byMs: number }) => lengthenKeys(tx, to - byMs, byMs),

    forgetExpired: (now: number) => db.write((tx) => deleteExpiredResponses(tx, now)),
  };
}

export type Idempotency = ReturnType<typeof createIdempotency>;

/** The draft standard quotes the key, most clients do not: both forms mean the same key. */
function parseKey(header: string | null): string | null {
  if (header === null) return null;
  const key = /^".*"$/.test(header) ? header.slice(1, -1) : header;
  if (!PRINTABLE.test(key))
    throw invalidField("Idempotency-Key", "Idempotency-Key must have 1 to 255 printable characters.");
  return key;
}
