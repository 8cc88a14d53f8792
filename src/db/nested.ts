// A database inside one command of another: everything that is written through it commits with that command, or not at
// all. Each write is a savepoint of its own; reads see what was written before.
import { sql } from "kysely";
import { bindingOf } from "./binding.ts";
import { NO_STATS, type Command, type Database } from "./port.ts";
import type { Tx } from "./tables.ts";

const SAVEPOINT = sql`SAVEPOINT nested`;
const RELEASE = sql`RELEASE nested`;
const ROLL_BACK = sql`ROLLBACK TO nested`;

/** `tx` is a command's of `around`, whose maker closes it: `close` here waits for its own writes alone. */
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
      // What failed is told to whoever asked for it; the next one begins all the same.
      last = written.catch(() => {});
      return written;
    },
    get stats() {
      return { ...NO_STATS, commands };
    },
    // What is written in it is of its own time.
    newestDeliveryId: null,
    // The command around it is under way until whoever asks here has ended.
    settled: () => bindingOf(tx).settled(),
    // A database is not tidied up from inside of a transaction.
    maintenance: { ...around.maintenance, wipe: async () => false, upkeep: async () => false },
    async close() {
      await last;
    },
  };
}
