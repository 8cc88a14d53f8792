// The database part of a backup: a copy in which the data of each person is sealed with the person's key. The values
// are sealed as they are copied, so nothing of them reaches the disk. Indexes and triggers are made again at a restore.
import { closeSync, openSync } from "node:fs";
import { newRowKey, sealRow, type RowValue } from "../../core/sealed-row.ts";
import { latestVersion } from "../migrations.ts";
import { keyText, unlock, type FileKey } from "../sqlite/cipher.ts";
import { APPLICATION_ID, type Connection } from "../sqlite/connection.ts";
import { schemaVersion } from "../sqlite/migrate.ts";
import { openReader } from "../sqlite/open-reader.ts";
import { keepKeys, keysIn, openLive, settleStore, type PersonKey } from "./person-keys.ts";
import { BLANK_JSON, NUMBER_COLUMNS, SEALED_TABLES, type SealedTable } from "./sealed-tables.ts";
import { verifyDatabase, type DatabaseFacts } from "./database-copy.ts";

export interface SealedCopy extends DatabaseFacts {
  /** The id of the store of keys. */
  store: string;
  rows: Readonly<Record<string, number>>;
  openFileKeys: () => FileKeys;
}

export interface FileKeys {
  of(name: string): PersonKey | null;
  close(): void;
}

/** How a sealed table is opened: part of the copy, so later versions can. */
export interface OpeningOrder {
  name: string;
  columns: string[];
  /** Column → what takes its place if the person is erased; "number" and "own" stand for a text made of the key. */
  blanks: Record<string, string | null>;
  place: string;
  organisation: string;
  call: string | null;
  goes: boolean;
}

/** Its rows never go into a backup. */
const LEFT_OUT = new Set(["person_keys", "person_key_stores", "erasures_to_repeat"]);

/** Only a database with the schema of this version can be sealed. */
export function canBeSealed(databaseFile: string, key: FileKey): boolean {
  const connection = openReader(databaseFile, key);
  try {
    return schemaVersion(connection) === latestVersion();
  } finally {
    connection.close();
  }
}

export function sealedCopy(databaseFile: string, copy: string, key: FileKey): SealedCopy {
  closeSync(openSync(copy, "wx", 0o600));
  const source = openLive(databaseFile, (connection) => unlock(connection, key));
  try {
    const store = settleStore(source);
    source.prepare(`ATTACH ? AS sealed KEY ${keyText(key)}`).run(copy);
    // The copy is read back and flushed as part of the archive.
    for (const pragma of ["journal_mode = OFF", "synchronous = OFF"]) source.pragma(`sealed.${pragma}`);
    source.pragma(`sealed.application_id = ${APPLICATION_ID}`);
    source.pragma(`sealed.user_version = ${schemaVersion(source)}`);
    // One read transaction: one consistent state.
    const { rows, people } = source.transaction(() => copyAll(source))();
    source.exec("DETACH sealed");
    keepKeys(source, people.fresh);
    return { ...verifyDatabase(copy, { key }), store, rows, openFileKeys: () => openFileKeys(copy, key, people) };
  } finally {
    source.close();
  }
}

type People = ReturnType<typeof peopleOf>;

/** A person without a key gets one when the first row is sealed. */
function peopleOf(source: Connection) {
  const ids = new Map<string, PersonKey>();
  const known = new Map<string, PersonKey>();
  const fresh: PersonKey[] = [];
  const add = (key: PersonKey) => {
    ids.set(key.id, key);
    known.set(`${key.organisationId}\n${key.number}`, key);
    return key;
  };
  for (const key of keysIn(source)) add(key);
  return {
    fresh,
    byId: (id: string) => ids.get(id) ?? null,
    keyOf(organisationId: string, number: string): PersonKey {
      const present = known.get(`${organisationId}\n${number}`);
      if (present) return present;
      const made = { ...newRowKey(), organisationId, number };
      fresh.push(made);
      return add(made);
    },
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function copyAll(source: Connection): { rows: Record<string, number>; people: People } {
  const people = peopleOf(source);
  source.function("sealed_values", { varargs: true }, (...given: unknown[]) => {
    const [place, organisationId, number, ...values] = given;
    const key = people.keyOf(textOf(organisationId), textOf(number));
    return sealRow(key, values as RowValue[], textOf(place));
  });
  source.function(
    "key_of_person",
    (organisationId: unknown, number: unknown) => people.keyOf(textOf(organisationId), textOf(number)).id,
  );
  const parts = source
    .prepare("SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
    .all() as { type: string; name: string; tbl_name: string; sql: string }[];
  const virtual = parts.filter(({ sql }) => /^CREATE VIRTUAL/i.test(sql)).map(({ name }) => name);
  const isMade = (name: string) => virtual.some((of) => name === of || name.startsWith(`${of}_`));
  const rows: Record<string, number> = {};
  const orders: OpeningOrder[] = [];
  for (const { type, name, sql } of parts) {
    if (type !== "table" || name.startsWith("sqlite_") || isMade(name)) continue;
    source.exec(sql.replace(/^CREATE TABLE\s+/i, "CREATE TABLE sealed."));
    const table = columnsOf(source, name);
    const spec = (SEALED_TABLES as Readonly<Record<string, SealedTable>>)[name];
    if (spec) orders.push(orderOf(name, table, spec));
    if (!LEFT_OUT.has(name)) rows[name] = copyRows(source, name, table, spec);
  }
  writeOrders(
    source,
    orders,
    parts.filter(({ type, name }) => type !== "table" || virtual.includes(name)),
  );
  return { rows, people };
}

interface Column {
  name: string;
  notnull: number;
  pk: number;
}

const columnsOf = (source: Connection, table: string) =>
  source.prepare("SELECT name, \"notnull\", pk FROM pragma_table_info(?, 'main')").all(table) as Column[];

/** SQL of a text that no other row has. */
function placeOf(name: string, columns: readonly Column[], sealed: readonly string[]): string {
  const keys = columns.filter((column) => column.pk > 0 && !sealed.includes(column.name));
  return `'${name} ' || json_array(${keys.map((column) => `${name}.${column.name}`).join()})`;
}

function copyRows(source: Connection, name: string, columns: readonly Column[], spec: SealedTable | undefined): number {
  const values = columns.map((column) => (spec ? copiedValue(name, columns, column, spec) : `"${column.name}"`));
  const names = columns.map((column) => `"${column.name}"`).join();
  return source.prepare(`INSERT INTO sealed."${name}" (${names}) SELECT ${values.join()} FROM main."${name}"`).run()
    .changes;
}

function copiedValue(name: string, columns: readonly Column[], column: Column, spec: SealedTable): string {
  const sealed = spec.columns.map((one) => `${name}.${one}`);
  const [holder] = spec.columns;
  if (!spec.columns.includes(column.name)) return `${name}."${column.name}"`;
  if (column.name !== holder) return column.notnull === 1 ? "''" : "NULL";
  const place = placeOf(name, columns, spec.columns);
  const call = `sealed_values(${[place, organisationOf(name, spec), spec.number, ...sealed].join()})`;
  const isEmpty = sealed.map((one) => `${one} IS NULL`).join(" AND ");
  return column.notnull === 1 ? call : `CASE WHEN ${isEmpty} THEN NULL ELSE ${call} END`;
}

const organisationOf = (name: string, spec: SealedTable): string => spec.organisation ?? `${name}.organisation_id`;

function orderOf(name: string, columns: readonly Column[], spec: SealedTable): OpeningOrder {
  const blankOf = (column: string) => {
    if (NUMBER_COLUMNS.includes(column)) return "number";
    const isNeeded = columns.find((one) => one.name === column)?.notnull === 1;
    return BLANK_JSON[`${name}.${column}`] ?? (isNeeded ? "own" : null);
  };
  return {
    name,
    columns: [...spec.columns],
    blanks: Object.fromEntries(spec.columns.map((column) => [column, blankOf(column)])),
    place: placeOf(name, columns, spec.columns),
    organisation: organisationOf(name, spec),
    call: spec.call ?? null,
    goes: spec.goes ?? false,
  };
}

function writeOrders(source: Connection, orders: readonly OpeningOrder[], rest: readonly { sql: string }[]): void {
  source.exec(
    "CREATE TABLE sealed.sealing_orders (content TEXT NOT NULL) STRICT; " +
      "CREATE TABLE sealed.sealing_schema (sql TEXT NOT NULL) STRICT; " +
      "CREATE TABLE sealed.sealing_files (name TEXT PRIMARY KEY, key_id TEXT NOT NULL) STRICT",
  );
  const order = source.prepare("INSERT INTO sealed.sealing_orders VALUES (?)");
  for (const one of orders) order.run(JSON.stringify(one));
  const schema = source.prepare("INSERT INTO sealed.sealing_schema VALUES (?)");
  for (const { sql } of rest) schema.run(sql);
  source.exec(
    "INSERT OR IGNORE INTO sealed.sealing_files SELECT 'recordings/' || recording_file, " +
      "key_of_person(organisation_id, contact_number) FROM main.calls WHERE recording_file IS NOT NULL; " +
      "INSERT OR IGNORE INTO sealed.sealing_files SELECT 'captures/' || capture_file, " +
      "key_of_person(calls.organisation_id, calls.contact_number) FROM main.call_lines " +
      "JOIN main.calls ON calls.id = call_lines.call_id WHERE capture_file IS NOT NULL",
  );
}

/** The key of each file by its name in the archive. Read from the copy: there may be a million. */
function openFileKeys(copy: string, key: FileKey, people: People): FileKeys {
  const connection = openReader(copy, key);
  const find = connection.prepare("SELECT key_id FROM sealing_files WHERE name = ?").pluck();
  return {
    of(name) {
      const id = find.get(name);
      return typeof id === "string" ? people.byId(id) : null;
    },
    close: () => connection.close(),
  };
}
