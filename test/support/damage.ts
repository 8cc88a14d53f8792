// Damages a database file where a test wants it.
import { closeSync, openSync, writeSync } from "node:fs";
import Sqlite from "better-sqlite3";

const PAGE_BYTES = 4_096;

export function overwrite(file: string, position: number, length: number): void {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(length, 0xa5), 0, length, position);
  closeSync(descriptor);
}

/** The page on which a table begins. What lies where in a file changes with every migration. */
export function damageTable(file: string, table: string): void {
  const connection = new Sqlite(file, { readonly: true });
  const page = connection.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck().get(table);
  connection.close();
  // Pages are counted from 1.
  overwrite(file, (Number(page) - 1) * PAGE_BYTES, PAGE_BYTES);
}

/** Where the schema itself stands. */
export function damageSchema(file: string): void {
  overwrite(file, 100, 3_000);
}
