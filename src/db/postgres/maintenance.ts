// Periodic maintenance of a PostgreSQL database, beyond its own administration.
import type { Maintenance } from "../port.ts";
import { placeOf, type Address } from "./address.ts";
import type { Soundness } from "./soundness.ts";
import type { UnderWay } from "../under-way.ts";
import type { Wire } from "./wire.ts";

/** Number of changes kept for browsers that were disconnected. */
const CHANGES_KEPT = 5_000;

/** `open` creates a connection for one maintenance task. */
export function maintenanceOf(
  address: Address,
  open: () => Promise<Wire>,
  underWay: UnderWay,
  soundness: Pick<Soundness, "fault">,
): Maintenance {
  function on<T>(work: (wire: Wire) => Promise<T>): Promise<T> {
    return underWay.during(async () => {
      const wire = await open();
      try {
        return await work(wire);
      } finally {
        wire.end();
      }
    });
  }

  /** Requests during a run are served together by the next one. */
  let next: { tables: Set<string>; done: Promise<boolean> } | null = null;
  let current: Promise<unknown> = Promise.resolve();

  function wipe(tables: readonly string[]): Promise<boolean> {
    if (next) {
      for (const table of tables) next.tables.add(table);
      return next.done;
    }
    const asked = new Set(tables);
    const done = current.then(() => {
      next = null;
      return on((wire) => vacuum(wire, [...asked]));
    });
    current = done.catch(() => {});
    next = { tables: asked, done };
    return done;
  }

  return {
    where: placeOf(address),
    file: null,
    leftByErasure: ["wal", "backups", "replicas"],
    isLookedThroughLater: false,
    isWipeAwaited: false,
    fault: async () => soundness.fault(),
    wipe,
    upkeep: () => on(pruneChanges),
  };
}

/** Removes deleted rows physically, unless an older snapshot may still see them. */
async function vacuum(wire: Wire, tables: readonly string[]): Promise<boolean> {
  if (tables.length === 0) return true;
  const { rows } = await wire.query(
    "SELECT pg_current_xact_id()::xid::text AS now, " +
      "(SELECT string_agg(quote_ident(relname), ', ') FROM pg_class WHERE relkind = 'r' " +
      "AND relnamespace = current_schema()::regnamespace AND relname = ANY($1)) AS present",
    [tables],
  );
  const { now, present } = rows[0] as { now: string; present: string | null };
  if (present === null) return true;
  await wire.query(`VACUUM (INDEX_CLEANUP ON, TRUNCATE OFF) ${present}`);
  const older = await wire.query(
    "SELECT 1 FROM (SELECT backend_xmin AS xmin FROM pg_stat_activity " +
      "WHERE pid <> pg_backend_pid() AND coalesce(datname, current_database()) = current_database() " +
      "UNION ALL SELECT xmin FROM pg_replication_slots UNION ALL SELECT transaction FROM pg_prepared_xacts) held " +
      "WHERE age(xmin) > age($1::xid) LIMIT 1",
    [now],
  );
  return older.rows.length === 0;
}

/** Deletes the oldest changes by whole transactions; see changes.ts. */
async function pruneChanges(wire: Wire): Promise<boolean> {
  await wire.query("BEGIN");
  await wire.query(
    "UPDATE changes_pruned SET before = kept.xid FROM " +
      `(SELECT xid FROM changes ORDER BY xid DESC, sequence DESC OFFSET ${CHANGES_KEPT} LIMIT 1) kept WHERE before < kept.xid`,
  );
  await wire.query("DELETE FROM changes WHERE xid < (SELECT before FROM changes_pruned)");
  await wire.query("COMMIT");
  return true;
}

/** After a dump was restored into another PostgreSQL: its transaction ids do not belong to this server. */
export async function forgetForeignChanges(wire: Wire): Promise<void> {
  const next = "pg_snapshot_xmax(pg_current_snapshot())::text::bigint";
  await wire.query(`DELETE FROM changes WHERE xid >= ${next}`);
  await wire.query(`UPDATE changes_pruned SET before = ${next} WHERE before > ${next}`);
}
