// A database inside one command of another: all its writes commit with that command, or not at all. Each write is a
// savepoint; reads see earlier writes.
import { sql } from "kysely";
import { bindingOf } from "./binding.ts";
import { NO_STATS, type Command, type Database } from "./port.ts";
import type { Tx } from "./tables.ts";

const SAVEPOINT = sql`SAVEPOINT nested`;
const RELEASE = sql`RELEASE nested`;
const ROLL_BACK = sql`ROLLBACK TO nested`;

/** `tx` belongs to a command of `around`, whose creator closes it: `close` here only waits for its own writes. */
export function nestedDatabase(tx: Tx, around: Database): Database {
  let last: Promise<unknown> = Promise.resolve();
  let commands = 0;

  async function run<T>(command: Command<T>): Promise<T> {
    await SAVEPOINT.execute(tx);
    try {
      const value = await command(tx);
      await RELEASE.execute(tx);
      commands += 1;
      return value;
    } catch (error) {
      await ROLL_BACK.execute(tx);
      await RELEASE.execute(tx);
      throw error;
    }
  }

  return {
    engine: around.engine,
    reader: tx,
    heavy: tx,
    write<T>(command: Command<T>): Promise<T> {
      const written = last.then(() => run(command));
      // A failure rejects only its own promise; the next write runs anyway.
      last = written.catch(() => {});
      return written;
    },
    get stats() {
      return { ...NO_STATS, commands };
    },
    // Ids written here follow their own clock.
    newestDeliveryId: null,
    // The enclosing command runs until the caller here has ended.
    settled: () => bindingOf(tx).settled(),
    // Maintenance is not possible inside a transaction.
    maintenance: { ...around.maintenance, wipe: async () => false, upkeep: async () => false },
    async close() {
      await last;
    },
  };
}
