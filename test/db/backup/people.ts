// A data folder with a row of each table about people, for each of some people.
import Sqlite from "better-sqlite3";
import { join } from "node:path";
import { SEALED_TABLES } from "../../../src/db/backup/sealed-tables.ts";
import { DATABASE_FILE } from "../../../src/db/sqlite/file.ts";
import { mkdirSync, writeFileSync } from "node:fs";
import { folderWith, soundOf } from "./backups.ts";

export const ORGANISATION = "org_1";

export const numberOf = (person: string): string => `+9198100${Buffer.from(person).readUInt16BE(0)}`;

/** What a row says of the person in one column. */
export const wordsOf = (person: string, table: string, column: string): string => `${table}.${column} of ${person}`;

type Row = Record<string, string | number>;

/** Columns that refer to another row of the same person, or say what the row is about. */
const idsOf = (person: string): Row => ({
  organisation_id: ORGANISATION,
  call_id: `call_${person}`,
  appointment_id: `apt_${person}`,
  event_id: `events_${person}`,
  delivery_id: `deliveries_${person}`,
  consent_id: `consents_${person}`,
  campaign_id: "campaigns_1",
  subject_id: `call_${person}`,
  subject: "person",
  contact_number: numberOf(person),
  number: numberOf(person),
  subject_key: numberOf(person),
  finished_at: 1,
  recording_file: `${person}.wav`,
  capture_file: `${person}.pcap`,
});

function rowOf(connection: Sqlite.Database, table: string, person: string, index: number): Row {
  const columns = connection.pragma(`table_info(${table})`) as {
    name: string;
    type: string;
    notnull: number;
    pk: number;
  }[];
  const sealed = (SEALED_TABLES as Record<string, { columns: readonly string[] } | undefined>)[table]?.columns ?? [];
  const row: Row = {};
  for (const { name, type, notnull, pk } of columns) {
    const id = idsOf(person)[name];
    if (id !== undefined) row[name] = id;
    else if (sealed.includes(name)) row[name] = wordsOf(person, table, name);
    else if (pk > 0) row[name] = type === "TEXT" ? `${table}_${person}` : 1000 + index;
    else if (notnull === 1) row[name] = type === "TEXT" ? `${name}_${person}` : 0;
  }
  if (table === "calls") row["id"] = `call_${person}`;
  if (table === "appointments") row["id"] = `apt_${person}`;
  return row;
}

/** Made by triggers of calls and appointments. */
const NOT_OWN = ["contacts"];

export async function folderWithPeople(...people: string[]): Promise<string> {
  const dataDir = await folderWith("hospital");
  for (const folder of ["recordings", "captures"]) mkdirSync(join(dataDir, folder), { mode: 0o700 });
  change(dataDir, (connection) => {
    const insert = (table: string, row: Row) =>
      connection
        .prepare(
          `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${Object.keys(row)
            .map(() => "?")
            .join()})`,
        )
        .run(Object.values(row));
    insert("organisations", { ...rowOf(connection, "organisations", "hospital", 0), id: ORGANISATION });
    insert("campaigns", { ...rowOf(connection, "campaigns", "hospital", 0), id: "campaigns_1" });
    for (const [index, person] of people.entries()) {
      for (const table of ["deliveries", ...Object.keys(SEALED_TABLES)])
        if (!NOT_OWN.includes(table)) insert(table, rowOf(connection, table, person, index));
      connection
        .prepare("INSERT OR IGNORE INTO contacts (organisation_id, contact_number, contact_name) VALUES (?, ?, ?)")
        .run(ORGANISATION, numberOf(person), wordsOf(person, "calls", "contact_name"));
      writeFileSync(join(dataDir, "recordings", `${person}.wav`), soundOf(person));
      writeFileSync(join(dataDir, "captures", `${person}.pcap`), `packets of ${person}`);
    }
  });
  return dataDir;
}

export function change<T>(dataDir: string, work: (connection: Sqlite.Database) => T): T {
  const connection = new Sqlite(join(dataDir, DATABASE_FILE));
  try {
    connection.pragma("foreign_keys = OFF");
    connection.pragma("secure_delete = ON");
    return work(connection);
  } finally {
    connection.close();
  }
}

/** As an erasure leaves the keys. */
export function forgetKey(dataDir: string, person: string): void {
  change(dataDir, (connection) => {
    connection.prepare("DELETE FROM person_keys WHERE contact_number = ?").run(numberOf(person));
    connection.exec("UPDATE person_key_stores SET revision = revision + 1");
  });
}

/** Every row of every table about people, and of those beside them. */
export function everyRow(dataDir: string): Record<string, unknown[]> {
  return change(dataDir, (connection) =>
    Object.fromEntries(
      ["organisations", "deliveries", ...Object.keys(SEALED_TABLES)].map((table) => [
        table,
        connection
          .prepare(`SELECT * FROM ${table}`)
          .all()
          .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
      ]),
    ),
  );
}
