// Read-only checks of a PostgreSQL for the properties an appliance depends on.
import { systemClock } from "../../core/clock.ts";
import type { Place } from "../port.ts";
import { placeOf } from "./address.ts";
import { explainedFault } from "./open-faults.ts";
import { addressAt, mostConnections } from "./open.ts";
import { openWire, type Wire } from "./wire.ts";

export interface Examination {
  where: string;
  version: number;
  encoding: string;
  isEncrypted: boolean;
  isStandby: boolean;
  /** Settings that can lose an acknowledged commit on power loss. */
  unsafe: string[];
  /** Standbys that receive the WAL, and whether a commit waits for one of them. */
  replicas: number;
  isReplicationAwaited: boolean;
  mayCreate: boolean;
  /** Tables of ours that belong to another owner. */
  othersTables: number;
  /** Free connections, including those used by a running server of this database. */
  freeConnections: number;
  /** The most connections a server may open. */
  neededConnections: number;
  predicateLocks: { perPage: number; perTransaction: number };
  /** How far its clock is ahead of ours. */
  aheadMs: number;
  /** Two statements reached two sessions: there is a connection pooler in between. */
  isPooled: boolean;
}

const QUESTION = `SELECT pg_backend_pid() AS pid,
  current_setting('server_version_num')::int / 10000 AS version,
  current_setting('server_encoding') AS encoding,
  coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS is_encrypted,
  pg_is_in_recovery() AS is_standby,
  (SELECT string_agg(name, ' ') FROM pg_settings
    WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off') AS unsafe,
  (SELECT count(*) FROM pg_stat_replication) AS replicas,
  current_setting('synchronous_standby_names') AS awaited,
  has_schema_privilege(current_schema(), 'CREATE') AS may_create,
  (SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()
    AND NOT pg_has_role(tableowner, 'USAGE')) AS others_tables,
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'
      AND NOT (datname = current_database() AND application_name LIKE 'ringward %')) AS free_connections,
  current_setting('max_pred_locks_per_page')::int AS per_page,
  current_setting('max_pred_locks_per_transaction')::int AS per_transaction,
  extract(epoch FROM clock_timestamp()) * 1000 AS now`;

interface Row {
  pid: number;
  version: number;
  encoding: string;
  is_encrypted: boolean;
  is_standby: boolean;
  unsafe: string | null;
  replicas: number;
  awaited: string;
  may_create: boolean;
  others_tables: number;
  free_connections: number;
  per_page: number;
  per_transaction: number;
  now: number;
}

export async function examinePostgres(at: Place): Promise<Examination> {
  const address = addressAt(at);
  try {
    const wire = await openWire(address, { name: "ringward doctor" });
    try {
      return { where: placeOf(address), neededConnections: mostConnections(at), ...(await examined(wire)) };
    } finally {
      wire.end();
    }
  } catch (error) {
    throw explainedFault(error, placeOf(address));
  }
}

async function examined(wire: Wire): Promise<Omit<Examination, "where" | "neededConnections">> {
  const sentAt = systemClock.now();
  const row = (await wire.query(QUESTION)).rows[0] as Row;
  const heardAt = systemClock.now();
  const pids = await wire.query("SELECT pg_backend_pid() AS pid");
  return {
    version: row.version,
    encoding: row.encoding,
    isEncrypted: row.is_encrypted,
    isStandby: row.is_standby,
    unsafe: row.unsafe?.split(" ") ?? [],
    replicas: row.replicas,
    isReplicationAwaited: row.awaited !== "",
    mayCreate: row.may_create,
    othersTables: row.others_tables,
    freeConnections: row.free_connections,
    predicateLocks: { perPage: row.per_page, perTransaction: row.per_transaction },
    aheadMs: Math.round(row.now - (sentAt + heardAt) / 2),
    isPooled: (pids.rows[0] as { pid: number }).pid !== row.pid,
  };
}
