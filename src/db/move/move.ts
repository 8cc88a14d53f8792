// Copies everything from one database to another, of any kind, and compares the two.
import { sql } from "kysely";
import type { Clock } from "../../core/clock.ts";
import { updateLineage } from "../lineage/lineage-store.ts";
import { DatabaseError } from "../open-fault.ts";
import type { Database } from "../port.ts";
import type { SchemaTable } from "../sqlite/schema-tables.ts";
import type { Executor } from "../tables.ts";
import { isHalfMoved, markHalfMoved, markWhole, MOVE_MARK } from "./mark.ts";
import { insertRows, pagesOf, sumOf, type Row, type Sum } from "./rows.ts";
import { movedTables } from "./tables.ts";

export interface Move {
  from: Database;
  to: Database;
  clock: Clock;
  progress: (step: string, done: number) => void;
}

export interface MovedTable extends Sum {
  name: string;
}

/** Returns the copied tables. After a failure it can be run again. */
export async function moveEverything({ from, to, clock, progress }: Move): Promise<MovedTable[]> {
  const tables = movedTables();
  await assertMayBeFilled(to.reader, tables);
  await to.write((tx) => markHalfMoved(tx, clock.now()));
  await empty(to, tables);
  for (const table of tables) await copy(from.reader, to, table, progress);
  if (to.engine === "postgres") await numberOn(to, tables);
  await to.write((tx) => sql`DELETE FROM changes`.execute(tx));
  const moved: MovedTable[] = [];
  for (const table of tables) moved.push({ name: table.name, ...(await assertSame(from, to, table, progress)) });
  await assertSameCounts(from, to);
  await to.write(async (tx) => {
    await markWhole(tx);
    // No server runs on either: the next server continues with it, from any data folder.
    await updateLineage(tx, { is_stopped: 1 });
  });
  return moved;
}

async function assertMayBeFilled(reader: Executor, tables: readonly SchemaTable[]): Promise<void> {
  if (await isHalfMoved(reader)) return;
  for (const table of tables) {
    const { done } = await pagesOf(reader, table).next();
    if (done === true) continue;
    throw new DatabaseError(`The new database is not empty: ${table.name} has rows. Use an empty database.`);
  }
}

/** Deletes the rows of an earlier attempt; before that the database was empty. */
async function empty(to: Database, tables: readonly SchemaTable[]): Promise<void> {
  for (const { name } of tables.toReversed()) {
    const but = name === "heartbeats" ? sql`WHERE name <> ${MOVE_MARK}` : sql``;
    await to.write((tx) => sql`DELETE FROM ${sql.table(name)} ${but}`.execute(tx));
  }
}

async function copy(from: Executor, to: Database, table: SchemaTable, progress: Move["progress"]): Promise<void> {
  let done = 0;
  progress(`Copying ${table.name}`, done);
  let writing = Promise.resolve();
  for await (const rows of pagesOf(from, table)) {
    await writing;
    done += rows.length;
    progress(`Copying ${table.name}`, done);
    writing = to.write((tx) => insertRows(tx, table, rows));
    // The next page is read meanwhile; a failure is reported by the next await.
    writing.catch(() => {});
  }
  await writing;
}

/** Advances PostgreSQL's sequences beyond the copied numbers. */
async function numberOn(to: Database, tables: readonly SchemaTable[]): Promise<void> {
  for (const { name, key, isNumbered } of tables) {
    if (!isNumbered) continue;
    const column = key[0] ?? "";
    await to.write((tx) =>
      sql`SELECT setval(pg_get_serial_sequence(${name}, ${column}), max(${sql.ref(column)})) FROM ${sql.table(name)}
        HAVING count(*) > 0`.execute(tx),
    );
  }
}

async function assertSame(from: Database, to: Database, table: SchemaTable, progress: Move["progress"]): Promise<Sum> {
  const seen = (rows: number) => progress(`Comparing ${table.name}`, rows);
  seen(0);
  const isMark = (row: Row) => table.name === "heartbeats" && row["name"] === MOVE_MARK;
  const [before, after] = await Promise.all([sumOf(from.reader, table, isMark), sumOf(to.reader, table, isMark, seen)]);
  if (before.rows === after.rows && before.sha256 === after.sha256) return after;
  throw new DatabaseError(
    `${table.name} is not the same on both sides (${before.rows} and ${after.rows} rows). ` +
      "The data may have changed during the move. Stop everything else that writes, and run it again.",
  );
}

/** Triggers on the other side recompute these counts. */
async function assertSameCounts(from: Database, to: Database): Promise<void> {
  const [before, after] = [await deliveryCounts(from.reader), await deliveryCounts(to.reader)];
  if (before !== after)
    throw new DatabaseError("The counts of deliveries are not the same on both sides. Run it again.");
}

async function deliveryCounts(reader: Executor): Promise<string> {
  const rows = await reader.selectFrom("delivery_counts").selectAll().where("count", "<>", 0).execute();
  return rows
    .map(({ endpoint_id, state, count }) => `${endpoint_id} ${state} ${count}`)
    .toSorted()
    .join("\n");
}
