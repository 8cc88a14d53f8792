// A database that is not there: for building the routes without data, as `ringward openapi` does.
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { Database } from "./database.ts";
import type { Tables } from "./tables.ts";

export function detachedDatabase(): Database {
  const refuse = () => {
    throw new Error("There is no database behind these routes.");
  };
  return {
    file: "",
    reader: new Kysely<Tables>({
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      },
    }),
    write: refuse,
    stats: { commits: 0, commands: 0, waiting: 0, wipes: 0, looksThroughFile: 0 },
    newestDeliveryId: () => null,
    truncateWal: refuse,
    wipeFreeSpace: refuse,
    close: async () => {},
  };
}
