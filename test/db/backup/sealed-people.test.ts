// What a backup holds about people is sealed with a key for each: it comes back with the keys, and without a person's
// key nothing of that person does.
import { describe, expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BackupError } from "../../../src/db/archive/fault.ts";
import { openSealedCopy } from "../../../src/db/backup/opened-copy.ts";
import { writePersonKeys } from "../../../src/db/backup/person-keys-file.ts";
import { isPersonKeysName, personKeysOf, type PersonKeys } from "../../../src/db/backup/person-keys.ts";
import { restoreBackup } from "../../../src/db/backup/restore-backup.ts";
import { sealedCopy } from "../../../src/db/backup/sealed-copy.ts";
import { SEALED_TABLES, UNSEALED_COLUMNS } from "../../../src/db/backup/sealed-tables.ts";
import { DATABASE_FILE } from "../../../src/db/sqlite/file.ts";
import { COLUMNS, wordsOf as columnsIn } from "../../support/personal-columns.ts";
import { tempFolder } from "../../support/temp.ts";
import { backUp, databaseIn, picture, restoreInto, RESTORED_AT, soundOf } from "./backups.ts";
import { change, everyRow, folderWithPeople, forgetKey, numberOf, ORGANISATION } from "./people.ts";

/** Texts that tell of the person. */
const sentinelsOf = (person: string) => [
  ` of ${person}`,
  numberOf(person),
  soundOf(person).subarray(100, 130).toString("latin1"),
];

function bytesOf(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

const found = (bytes: string, person: string) => sentinelsOf(person).filter((text) => bytes.includes(text));

const keysFileOf = (backup: string) =>
  join(dirname(backup), readdirSync(dirname(backup)).find(isPersonKeysName) ?? "none");

test("every personal column is sealed, or stays open for a reason", () => {
  const personal = Object.entries(COLUMNS).flatMap(([table, { patient, kept }]) =>
    [...columnsIn(patient), ...columnsIn(kept)].map((column) => `${table}.${column}`),
  );
  const sealed = Object.entries(SEALED_TABLES).flatMap(([table, { columns }]) =>
    columns.map((column) => `${table}.${column}`),
  );
  expect([...sealed, ...Object.keys(UNSEALED_COLUMNS)].toSorted()).toEqual(personal.toSorted());
});

describe("a backup", () => {
  test("shows nothing of anyone, and comes back whole with the key file beside it", async () => {
    const dataDir = await folderWithPeople("Asha", "Bina");
    const before = everyRow(dataDir);
    const backup = backUp(dataDir);
    const archive = readFileSync(backup, "latin1");
    for (const person of ["Asha", "Bina"]) expect(found(archive, person)).toEqual([]);
    const copy = new Sqlite(databaseIn(backup), { readonly: true });
    expect(copy.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(copy.prepare("SELECT count(*) FROM person_keys").pluck().get()).toBe(0);
    copy.close();

    const into = tempFolder();
    expect(restoreInto(into, backup)).toMatchObject({ files: 4, erased: 0, gone: {} });
    expect(everyRow(into)).toEqual(before);
    for (const person of ["Asha", "Bina"])
      expect(readFileSync(join(into, "recordings", `${person}.wav`)).equals(soundOf(person))).toBeTrue();
    const schemaOf = (folder: string) =>
      change(folder, (db) => db.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").all());
    expect(schemaOf(into)).toEqual(schemaOf(dataDir));
    const searched = change(into, (db) =>
      db.prepare("SELECT count(*) FROM contact_search WHERE contact_search MATCH 'Ash'").pluck().get(),
    );
    expect(searched).toBe(2);
  });

  test("made again seals with the same keys, and a person who comes later gets one", async () => {
    const dataDir = await folderWithPeople("Asha");
    backUp(dataDir);
    const first = personKeysOf({ dataDir })?.keys ?? [];
    backUp(dataDir);
    expect(personKeysOf({ dataDir })?.keys).toEqual(first);
    expect(first.map(({ organisationId, number }) => [organisationId, number])).toEqual([
      [ORGANISATION, numberOf("Asha")],
    ]);
  });

  test("restored after an erasure shows nothing of the person, and all of the others", async () => {
    const dataDir = await folderWithPeople("Asha", "Bina");
    const backup = backUp(dataDir);
    forgetKey(dataDir, "Asha");
    rmSync(keysFileOf(backup));
    const others = everyRow(dataDir);
    // The present database is the only one that knows.
    const { erased, gone, files } = restoreInto(dataDir, backup);
    expect({ erased, files, gone: gone["files"] }).toEqual({ erased: 1, files: 2, gone: 2 });
    for (const name of readdirSync(dataDir).filter((path) => path.includes("before-restore")))
      rmSync(join(dataDir, name), { recursive: true });
    expect(found(bytesOf(dataDir), "Asha")).toEqual([]);
    expect(found(bytesOf(dataDir), "Bina")).toHaveLength(3);
    const isOfBina = (row: unknown) => JSON.stringify(row).includes("Bina");
    for (const [table, rows] of Object.entries(everyRow(dataDir)))
      expect([table, rows.filter(isOfBina)]).toEqual([table, others[table]?.filter(isOfBina) ?? []]);
    const repeated = change(dataDir, (db) => db.prepare("SELECT kind, organisation_id FROM erasures_to_repeat").all());
    expect(repeated).toEqual([{ kind: "person", organisation_id: ORGANISATION }]);
  });

  test("restored after one call was erased shows nothing of the call, and the rest of the person", async () => {
    const dataDir = await folderWithPeople("Asha", "Bina");
    const backup = backUp(dataDir);
    change(dataDir, (db) => {
      db.prepare("INSERT INTO erased_calls VALUES ('call_Asha', ?, 5, 'key', null)").run(ORGANISATION);
      db.exec("UPDATE person_key_stores SET revision = revision + 1");
    });
    const { erased, files } = restoreInto(dataDir, backup);
    expect({ erased, files }).toEqual({ erased: 1, files: 2 });
    const rows = everyRow(dataDir);
    for (const table of ["calls", "call_results", "call_lines", "events", "delivery_attempts"])
      expect([table, JSON.stringify(rows[table]).includes("of Asha")]).toEqual([table, false]);
    expect(JSON.stringify(rows["contact_notes"])).toContain("of Asha");
    const tombstones = change(dataDir, (db) => db.prepare("SELECT call_id, erased_at FROM erased_calls").all());
    expect(tombstones).toEqual([{ call_id: "call_Asha", erased_at: 5 }]);
  });

  test("made before the erasure and restored elsewhere follows the newest key file, not the one that it was made with", async () => {
    const dataDir = await folderWithPeople("Asha", "Bina");
    const backup = backUp(dataDir);
    const stale = readFileSync(keysFileOf(backup));
    forgetKey(dataDir, "Asha");
    writePersonKeys({ dataDir }, dirname(backup));
    const into = tempFolder();
    restoreInto(into, backup);
    expect(found(bytesOf(into), "Asha")).toEqual([]);
    const given = join(tempFolder(), "stale");
    writeFileSync(given, stale);
    const shown = tempFolder();
    restoreBackup({ file: backup, dataDir: shown, restoredAt: RESTORED_AT, stamp: "now", personKeys: given });
    expect(found(bytesOf(shown), "Asha")).toHaveLength(3);
  });
});

describe("a restore is refused, and nothing is touched,", () => {
  async function refused(spoil: (backup: string) => string | undefined) {
    const backup = backUp(await folderWithPeople("Asha"));
    const given = spoil(backup);
    const into = await folderWithPeople("Bina");
    const before = picture(into);
    const order = { file: backup, dataDir: into, restoredAt: RESTORED_AT, stamp: "now" };
    const restore = () => restoreBackup({ ...order, ...(given !== undefined && { personKeys: given }) });
    expect(restore).toThrow(BackupError);
    expect(picture(into)).toEqual(before);
    return restore;
  }

  test("without a key file, and names the option", async () => {
    const restore = await refused((backup) => {
      rmSync(keysFileOf(backup));
      return undefined;
    });
    expect(restore).toThrow("--person-keys FILE");
  });

  test("for a database that was taken out of a backup", async () => {
    const database = databaseIn(backUp(await folderWithPeople("Asha")));
    expect(() => restoreInto(tempFolder(), database)).toThrow("Restore the backup.");
  });

  test("with a key file that is damaged, or of other backups", async () => {
    const other = keysFileOf(backUp(await folderWithPeople("Chitra")));
    expect(await refused(() => other)).toThrow("those of other backups");
    const damaged = join(tempFolder(), "damaged");
    writeFileSync(damaged, "{]");
    expect(await refused(() => damaged)).toThrow("is not a file of people's keys");
    expect(await refused(() => join(tempFolder(), "missing"))).toThrow("cannot be read");
  });
});

describe("sealed data does not open", () => {
  async function copyOf(...people: string[]): Promise<{ file: string; keys: PersonKeys }> {
    const dataDir = await folderWithPeople(...people);
    const folder = tempFolder();
    mkdirSync(folder, { recursive: true });
    const file = join(folder, "copy.db");
    sealedCopy(join(dataDir, DATABASE_FILE), file, null);
    const keys = personKeysOf({ dataDir });
    if (!keys) throw new Error("no keys");
    return { file, keys };
  }

  test.each([
    ["in the row of another person", "calls", "contact_number", "id"],
    ["in another row of any table", "events", "data", "id"],
  ])("%s", async (_, table, column, id) => {
    const { file, keys } = await copyOf("Asha", "Bina");
    const copy = new Sqlite(file);
    const rows = copy.prepare(`SELECT ${id} AS id, ${column} AS sealed FROM ${table} ORDER BY 1`).all() as {
      id: string;
      sealed: string;
    }[];
    const swap = copy.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${id} = ?`);
    for (const [index, row] of rows.entries()) swap.run(rows[(index + 1) % rows.length]?.sealed, row.id);
    copy.close();
    expect(() => openSealedCopy(file, null, keys)).toThrow();
  });

  test("where it was replaced by a text in the open", async () => {
    const { file, keys } = await copyOf("Asha");
    const copy = new Sqlite(file);
    copy.exec("UPDATE call_results SET transcript = 'in the open'");
    copy.close();
    expect(() => openSealedCopy(file, null, keys)).toThrow("damaged");
  });
});
