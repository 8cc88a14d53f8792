// Opens the database of a backup for a restore: each person's data with the person's key. Without a key the person is
// erased: their rows stay blank, and the erasure is noted, to be repeated by the rooms that own the tables.
import Sqlite from "better-sqlite3";
import { keyIdOfRow, openRow, type RowValue } from "../../core/sealed-row.ts";
import { BackupError } from "../archive/fault.ts";
import { unlock, type FileKey } from "../sqlite/cipher.ts";
import type { Connection } from "../sqlite/connection.ts";
import { putKeys, type PersonKey, type PersonKeys } from "./person-keys.ts";
import type { OpeningOrder } from "./sealed-copy.ts";

export interface OpenedCopy {
  /** People and calls erased since the backup. */
  erased: number;
  /** Files of the erased calls, by their names in the archive; those of erased people have no key. */
  erasedFiles: readonly string[];
  /** Rows of each table that went with them. */
  gone: Readonly<Record<string, number>>;
}

/** Stands for the number of an erased person until the erasure is repeated. */
const ERASED = "erased:";
const LIKE_ERASED = `${ERASED}[0-9a-f][0-9a-f]*`;

interface Opening {
  byId: ReadonlyMap<string, PersonKey>;
  erasedCalls: ReadonlySet<string>;
  /** Organisation and number's stand-in of people without a key. */
  lost: Map<string, { organisationId: string; number: string }>;
}

/** Whether it must be opened before it is used. */
export function isSealedCopy(file: string): boolean {
  const connection = new Sqlite(file, { readonly: true });
  try {
    return connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sealing_orders'").get() !== undefined;
  } finally {
    connection.close();
  }
}

/** In place; the file is in no use. */
export function openSealedCopy(file: string, key: FileKey, keys: PersonKeys): OpenedCopy {
  const connection = new Sqlite(file, { fileMustExist: true });
  try {
    unlock(connection, key);
    // A restore that is cut off begins again, and flushes the file at its end.
    for (const pragma of ["journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF", "temp_store = MEMORY"])
      connection.pragma(pragma);
    return connection.transaction(() => openAll(connection, keys))();
  } finally {
    connection.close();
  }
}

function openAll(connection: Connection, keys: PersonKeys): OpenedCopy {
  const opening: Opening = {
    byId: new Map(keys.keys.map((one) => [one.id, one])),
    erasedCalls: new Set(keys.erasedCalls.map(({ id }) => id)),
    lost: new Map(),
  };
  const contents = connection.prepare("SELECT content FROM sealing_orders").pluck().all() as string[];
  const orders = contents.map((text) => JSON.parse(text) as OpeningOrder);
  const values = openedValues(opening, orders);
  connection.function("opened_value", { varargs: true }, (...given: unknown[]) => values(given));
  const gone: Record<string, number> = {};
  for (const [number, order] of orders.entries()) openTable(connection, order, number);
  for (const { name, columns, goes } of orders) {
    if (!goes) continue;
    const { changes } = connection.prepare(`DELETE FROM "${name}" WHERE "${columns[0]}" GLOB '${LIKE_ERASED}'`).run();
    if (changes > 0) gone[name] = changes;
  }
  const erased = noteErased(connection, opening);
  const erasedFiles = filesOfErased(connection);
  putKeys(connection, keys);
  makeAgain(connection);
  return { erased, erasedFiles, gone };
}

function openTable(connection: Connection, order: OpeningOrder, number: number): void {
  const { name, columns, place, organisation, call } = order;
  const [holder = ""] = columns;
  const given = `${number}, ${name}."${holder}", ${place}, ${organisation}, ${call ?? "NULL"}`;
  const changes = columns.map((column, index) => `"${column}" = opened_value(${index}, ${given})`);
  connection.prepare(`UPDATE "${name}" SET ${changes.join()} WHERE "${holder}" IS NOT NULL`).run();
}

/** The columns of a row are asked for one after the other: the newest row is kept. */
function openedValues(opening: Opening, orders: readonly OpeningOrder[]) {
  let kept: { sealed: string; place: string; values: readonly RowValue[] } | null = null;
  return ([index, number, sealed, place, organisationId, callId]: unknown[]): RowValue => {
    const order = orders[Number(number)];
    if (!order || typeof sealed !== "string" || typeof place !== "string") throw unsealable();
    if (kept?.sealed !== sealed || kept.place !== place)
      kept = { sealed, place, values: valuesOf(opening, { order, sealed, place, organisationId, callId }) };
    return kept.values[Number(index)] ?? null;
  };
}

interface SealedRow {
  order: OpeningOrder;
  sealed: string;
  place: string;
  organisationId: unknown;
  callId: unknown;
}

function valuesOf({ byId, erasedCalls, lost }: Opening, row: SealedRow): readonly RowValue[] {
  const { order, sealed, place, organisationId, callId } = row;
  const id = keyIdOfRow(sealed);
  if (id === null) throw unsealable();
  const key = byId.get(id);
  const isCallErased = typeof callId === "string" && erasedCalls.has(callId);
  if (key && !isCallErased) return openRow(key, sealed, place);
  const number = `${ERASED}${id}`;
  if (!key && typeof organisationId === "string") lost.set(`${organisationId} ${id}`, { organisationId, number });
  return order.columns.map((column) => {
    const blank = order.blanks[column] ?? null;
    if (blank === "number") return number;
    // Made of the nonce, so it occurs once.
    return blank === "own" ? `${ERASED}${Buffer.from(sealed.slice(17, 33)).toString("hex")}` : blank;
  });
}

const unsealable = () => new BackupError("A sealed row of the backup is damaged.");

/** Returns how many people and calls. */
function noteErased(connection: Connection, { lost, erasedCalls }: Opening): number {
  const note = connection.prepare("INSERT OR IGNORE INTO erasures_to_repeat VALUES (?, ?, ?)");
  const find = connection.prepare("SELECT organisation_id FROM calls WHERE id = ?").pluck();
  for (const { organisationId, number } of lost.values()) note.run("person", organisationId, number);
  let calls = 0;
  for (const id of erasedCalls) {
    const organisationId = find.get(id);
    if (typeof organisationId !== "string") continue;
    note.run("call", organisationId, id);
    calls++;
  }
  return lost.size + calls;
}

const filesOfErased = (connection: Connection): string[] =>
  connection
    .prepare(
      "SELECT 'recordings/' || recording_file FROM calls JOIN erasures_to_repeat ON kind = 'call' AND subject_key = id " +
        "WHERE recording_file IS NOT NULL UNION ALL SELECT 'captures/' || capture_file FROM call_lines " +
        "JOIN erasures_to_repeat ON kind = 'call' AND subject_key = call_id WHERE capture_file IS NOT NULL",
    )
    .pluck()
    .all() as string[];

/** Indexes, triggers and search, which a sealed copy does not have. */
function makeAgain(connection: Connection): void {
  const made = connection.prepare("SELECT sql FROM sealing_schema").pluck().all() as string[];
  const isVirtual = (sql: string) => /^CREATE VIRTUAL/i.test(sql);
  for (const sql of made.toSorted((a, b) => Number(isVirtual(b)) - Number(isVirtual(a)))) {
    connection.exec(sql);
    const [, search] = /^CREATE VIRTUAL TABLE (\w+) USING fts5/i.exec(sql) ?? [];
    if (search !== undefined) connection.exec(`INSERT INTO ${search} (${search}) VALUES ('rebuild')`);
  }
  connection.exec("DROP TABLE sealing_orders; DROP TABLE sealing_schema; DROP TABLE sealing_files");
}
