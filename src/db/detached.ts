// A placeholder database, to build the routes without data, as `ringward openapi` does.
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { bind } from "./binding.ts";
import { NO_STATS, type Database } from "./port.ts";
import type { Tables } from "./tables.ts";

export function detachedDatabase(): Database {
  const refuse = () => {
    throw new Error("These routes have no database.");
  };
  const reader = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  bind(reader, { engine: "sqlite", run: undefined, changes: undefined, settled: async () => {} });
  return {
    engine: "sqlite",
    reader,
    heavy: reader,
    write: refuse,
    stats: NO_STATS,
    newestDeliveryId: null,
    settled: async () => {},
    maintenance: {
      where: "nowhere",
      file: null,
      leftByErasure: [],
      isLookedThroughLater: false,
      isWipeAwaited: true,
      fault: async () => null,
      wipe: refuse,
      upkeep: refuse,
    },
    close: async () => {},
  };
}
