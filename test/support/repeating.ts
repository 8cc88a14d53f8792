// A database that runs a command twice, as after a serialization failure: the first try is rolled back, and the second
// must have the same effect. Each command is repeated once per database, which is cheap; all of them if
// RINGWARD_TEST_REPEAT is "all".
import { sql } from "kysely";
import type { Command, Database, Tx } from "../../src/db/database.ts";

const SAVE = sql`SAVEPOINT first_try`;
const ROLL_BACK = sql`ROLLBACK TO first_try`;
const RELEASE = sql`RELEASE first_try`;

const isAlways = process.env["RINGWARD_TEST_REPEAT"] === "all";

export function repeating(db: Database): Database {
  const tried = new Set<string>();
  return Object.assign(Object.create(db) as Database, {
    write<T>(command: Command<T>): Promise<T> {
      // Of commands that are written alike one is enough.
      const text = String(command);
      if (!isAlways && tried.has(text)) return db.write(command);
      tried.add(text);
      return db.write((tx) => twice(tx, command));
    },
  });
}

async function twice<T>(tx: Tx, command: Command<T>): Promise<T> {
  await SAVE.execute(tx);
  const first = await outcomeOf(tx, command);
  await ROLL_BACK.execute(tx);
  await RELEASE.execute(tx);
  const second = await outcomeOf(tx, command);
  const [before, after] = [toldOf(first), toldOf(second)];
  if (before !== after) {
    throw new Error(`A command that is tried again must do the same: ${String(command)}\n${before}\n${after}`);
  }
  if ("error" in second) throw second.error;
  return second.value;
}

type Outcome<T> = { value: T } | { error: unknown };

async function outcomeOf<T>(tx: Tx, command: Command<T>): Promise<Outcome<T>> {
  try {
    return { value: await command(tx) };
  } catch (error) {
    return { error };
  }
}

/** Ids and secrets are made anew. Everything else is to be the same. */
function toldOf(outcome: Outcome<unknown>): string {
  if ("error" in outcome)
    return `refused: ${outcome.error instanceof Error ? outcome.error.name : typeof outcome.error}`;
  const plain = (_: string, value: unknown) => {
    if (typeof value === "string") return "…";
    if (value instanceof Map || value instanceof Set) return [...value];
    return typeof value === "bigint" ? String(value) : value;
  };
  return outcome.value === undefined ? "nothing" : JSON.stringify(outcome.value, plain);
}
