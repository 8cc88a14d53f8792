// Doctor checks of PostgreSQL: whether commits are durable, and what remains after an erasure.
import type { Config } from "../config/schema.ts";
import { messageOf } from "../core/errors.ts";
import { SECOND_MS } from "../core/clock.ts";
import type { Examination } from "../db/postgres/examine.ts";
import { placeOf } from "./context.ts";
import type { Finding } from "./doctor-checks.ts";

const WARN_AHEAD_MS = 2 * SECOND_MS;
const FAIL_AHEAD_MS = 30 * SECOND_MS;
const OLDEST_VERSION = 14;
/** With lower limits PostgreSQL coarsens predicate locks, and unrelated writers get serialization failures. */
const LOCKS_PER_PAGE = 16;
const LOCKS_PER_TRANSACTION = 128;

/** Empty for SQLite. */
export async function checkPostgres(config: Config): Promise<Finding[]> {
  if (config.database.url === "") return [];
  const check = "postgresql";
  try {
    const { examinePostgres } = await import("../db/postgres/examine.ts");
    const found = await examinePostgres(placeOf(config));
    const faults = faultsOf(found);
    const doubts = doubtsOf(found);
    const state = faults.length > 0 ? "FAIL" : doubts.length > 0 ? "warn" : "ok";
    return [{ check, state, message: [summaryOf(found), ...faults, ...doubts, LEFT_BY_ERASURE].join(" ") }];
  } catch (error) {
    return [{ check, state: "FAIL", message: messageOf(error) }];
  }
}

const LEFT_BY_ERASURE =
  "What is erased may stay in free pages, the WAL, replicas and dumps until those are recycled: encrypt the volume, keep dumps short.";

function summaryOf({ where, version, isEncrypted, replicas }: Examination): string {
  const following = replicas === 0 ? "no replica" : `${replicas} ${replicas === 1 ? "replica" : "replicas"}`;
  return `${where}, version ${version}, ${isEncrypted ? "over TLS" : "without TLS"}, ${following}.`;
}

function faultsOf(found: Examination): string[] {
  const { version, encoding, isStandby, unsafe, mayCreate, othersTables, isPooled, aheadMs } = found;
  const faults: [boolean, string][] = [
    [version < OLDEST_VERSION, `Version ${OLDEST_VERSION} or a newer one is needed.`],
    [encoding !== "UTF8", `Its encoding is ${encoding}; UTF8 is required.`],
    [isStandby, "It is a read-only standby: use the address of the primary."],
    [unsafe.length > 0, `Switch on ${unsafe.join(", ")}: what was acknowledged may be lost with the power.`],
    [!mayCreate, "This user cannot create tables: make it the owner of the database."],
    [othersTables > 0, `${othersTables} tables belong to another user, so they can be neither migrated nor vacuumed.`],
    [isPooled, "A pooler in transaction mode is in between: connect directly, or use session mode."],
    [Math.abs(aheadMs) >= FAIL_AHEAD_MS, `${clockWords(aheadMs)} Set both right (NTP).`],
  ];
  return faults.flatMap(([is, words]) => (is ? [words] : []));
}

function doubtsOf(found: Examination): string[] {
  const { aheadMs, replicas, isReplicationAwaited, freeConnections, neededConnections, predicateLocks } = found;
  const { perPage, perTransaction } = predicateLocks;
  const isAhead = Math.abs(aheadMs) >= WARN_AHEAD_MS && Math.abs(aheadMs) < FAIL_AHEAD_MS;
  const doubts: [boolean, string][] = [
    [isAhead, clockWords(aheadMs)],
    [replicas > 0 && !isReplicationAwaited, "No commit waits for a replica: a failover may lose the last seconds."],
    [
      freeConnections < neededConnections,
      `${freeConnections} connections are free, and a server may need ${neededConnections} of them (database.connections, four for searches, two of its own): raise max_connections.`,
    ],
    [
      perPage < LOCKS_PER_PAGE || perTransaction < LOCKS_PER_TRANSACTION,
      `With max_pred_locks_per_page ≥ ${LOCKS_PER_PAGE} and max_pred_locks_per_transaction ≥ ${LOCKS_PER_TRANSACTION} fewer writes are repeated.`,
    ],
  ];
  return doubts.flatMap(([is, words]) => (is ? [words] : []));
}

const clockWords = (aheadMs: number) =>
  `Its clock is ${(Math.abs(aheadMs) / SECOND_MS).toFixed(0)} s ${aheadMs > 0 ? "before" : "behind"} this machine's.`;
