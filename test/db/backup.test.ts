import { describe, expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { silentLogger } from "../../src/core/logger.ts";
import { backupDatabase, BackupError, restoreDatabase, verifyBackup } from "../../src/db/backup.ts";
import { APPLICATION_ID } from "../../src/db/connection.ts";
import { DATABASE_FILE, openDatabase, type Database } from "../../src/db/database.ts";
import { latestVersion } from "../../src/db/migrate.ts";
import { openTempDatabase, tempFolder } from "../support/temp.ts";

const note = (db: Database, name: string) =>
  db.write((tx) => tx.insertInto("heartbeats").values({ name, at: 1 }).execute());
const namesIn = (file: string) => {
  const connection = new Sqlite(file, { readonly: true });
  const names = connection.prepare("SELECT name FROM heartbeats ORDER BY rowid").pluck().all();
  connection.close();
  return names;
};

async function backupOf(...names: string[]): Promise<string> {
  const { db } = openTempDatabase();
  for (const name of names) await note(db, name);
  const target = join(tempFolder(), "backup.db");
  backupDatabase(db.file, target);
  await db.close();
  return target;
}

/** A data folder with a database that is closed. */
async function folderWith(...names: string[]): Promise<string> {
  const { db, dataDir } = openTempDatabase();
  for (const name of names) await note(db, name);
  await db.close();
  return dataDir;
}

function overwrite(file: string, position: number, length: number): void {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(length, 0xa5), 0, length, position);
  closeSync(descriptor);
}

describe("a backup", () => {
  test("of an open database holds what was committed, in one file that only its owner can read", async () => {
    const { db } = openTempDatabase();
    await note(db, "a");
    const target = join(tempFolder(), "backup.db");
    const facts = backupDatabase(db.file, target);
    expect(facts).toEqual({ bytes: statSync(target).size, schema: latestVersion() });
    expect(namesIn(target)).toEqual(["a"]);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    await db.close();
  });

  test("taken while commands are writing is one moment of the database: a whole prefix of the commands", async () => {
    const { db } = openTempDatabase();
    const names = Array.from({ length: 900 }, (_, i) => `n${i}`);
    const writes = Promise.all(names.map((name) => note(db, name)));
    const folder = tempFolder();
    for (let i = 0; i < 4; i++) {
      await new Promise((done) => setImmediate(done));
      const target = join(folder, `${i}.db`);
      backupDatabase(db.file, target);
      const held = namesIn(target);
      expect(held).toEqual(names.slice(0, held.length));
    }
    await writes;
    await db.close();
  });

  test("carries nothing of rows deleted before", async () => {
    const { db } = openTempDatabase();
    await note(db, "Kamala-was-here");
    await db.write((tx) => tx.deleteFrom("heartbeats").execute());
    const target = join(tempFolder(), "backup.db");
    backupDatabase(db.file, target);
    expect(readFileSync(target).includes("Kamala-was-here")).toBeFalse();
    await db.close();
  });

  test("never overwrites a file", async () => {
    const { db } = openTempDatabase();
    const target = join(tempFolder(), "backup.db");
    writeFileSync(target, "precious");
    expect(() => backupDatabase(db.file, target)).toThrow(`${target} exists already. Name a new file.`);
    expect(readFileSync(target, "utf8")).toBe("precious");
    await db.close();
  });

  test("that cannot be written says so and leaves nothing behind", async () => {
    const { db } = openTempDatabase();
    const folder = tempFolder();
    expect(() => backupDatabase(db.file, join(folder, "none", "backup.db"))).toThrow(BackupError);
    expect(readdirSync(folder)).toEqual([]);
    await db.close();
  });

  test("of a damaged database is refused and leaves nothing behind", async () => {
    const dataDir = await folderWith(...Array.from({ length: 300 }, (_, i) => "x".repeat(500) + i));
    const file = join(dataDir, DATABASE_FILE);
    // A third of the file, because a single page may be one that nothing uses.
    const third = Math.floor(statSync(file).size / 3 / 4096) * 4096;
    overwrite(file, third, third);
    const folder = tempFolder();
    expect(() => backupDatabase(file, join(folder, "backup.db"))).toThrow(BackupError);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("of nothing is refused", () => {
    expect(() => backupDatabase(join(tempFolder(), "none.db"), join(tempFolder(), "b.db"))).toThrow(
      "There is no database",
    );
  });

  test("replaces the unfinished file of one that was interrupted", async () => {
    const { db } = openTempDatabase();
    const target = join(tempFolder(), "backup.db");
    writeFileSync(`${target}.partial`, "half");
    backupDatabase(db.file, target);
    expect(existsSync(`${target}.partial`)).toBeFalse();
    await db.close();
  });
});

describe("a file is refused as a backup", () => {
  test("when it is not there", () => {
    expect(() => verifyBackup("/nowhere/backup.db")).toThrow("There is no file at /nowhere/backup.db.");
  });

  test("when it is not a database", () => {
    const file = join(tempFolder(), "text.db");
    writeFileSync(file, "some text ".repeat(1000));
    expect(() => verifyBackup(file)).toThrow(BackupError);
  });

  test("when it is another program's", () => {
    const file = join(tempFolder(), "theirs.db");
    const theirs = new Sqlite(file);
    theirs.exec("CREATE TABLE theirs (a)");
    theirs.close();
    expect(() => verifyBackup(file)).toThrow("is not a Ringward backup");
  });

  test("when a newer Ringward made it", () => {
    const file = join(tempFolder(), "newer.db");
    const newer = new Sqlite(file);
    newer.pragma(`application_id = ${APPLICATION_ID}`);
    newer.pragma(`user_version = ${latestVersion() + 1}`);
    newer.close();
    expect(() => verifyBackup(file)).toThrow("newer Ringward");
  });

  test("when it is damaged or cut short", async () => {
    const file = await backupOf(...Array.from({ length: 300 }, (_, i) => "x".repeat(500) + i));
    const whole = readFileSync(file);
    const cut = join(tempFolder(), "cut.db");
    writeFileSync(cut, whole.subarray(0, Math.floor(whole.length / 2)));
    expect(() => verifyBackup(cut)).toThrow(BackupError);
    overwrite(file, Math.floor(whole.length / 8192) * 4096, 4096);
    expect(() => verifyBackup(file)).toThrow(BackupError);
  });
});

describe("a restore", () => {
  test("puts the backup in the place of the database and keeps the old one, the end of its WAL included", async () => {
    const backup = await backupOf("from the backup");
    const { db, dataDir } = openTempDatabase();
    await note(db, "old");
    // As a crash leaves it: the row is in the WAL alone.
    const crashed = tempFolder();
    for (const suffix of ["", "-wal"]) {
      writeFileSync(join(crashed, DATABASE_FILE + suffix), readFileSync(join(dataDir, DATABASE_FILE + suffix)));
    }
    await db.close();

    const file = join(crashed, DATABASE_FILE);
    const aside = join(crashed, "ringward.before-restore.db");
    expect(restoreDatabase(backup, file, aside)).toBe(aside);
    expect(namesIn(aside)).toEqual(["old"]);
    const restored = openDatabase(crashed, { logger: silentLogger, as: "server" });
    expect(await restored.reader.selectFrom("heartbeats").select("name").execute()).toEqual([
      { name: "from the backup" },
    ]);
    await restored.close();
  });

  test("into an empty folder has nothing to keep", async () => {
    const backup = await backupOf("a");
    const file = join(tempFolder(), DATABASE_FILE);
    expect(restoreDatabase(backup, file, `${file}.old`)).toBeNull();
    expect(namesIn(file)).toEqual(["a"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["is damaged in its middle", (file: string) => overwrite(file, 8192, 8192)],
    ["has lost its head", (file: string) => overwrite(file, 0, 4096)],
    ["is no longer a database", (file: string) => writeFileSync(file, "rubbish")],
  ])("works where the database %s, which is what it is for", async (_, damage) => {
    const backup = await backupOf("a");
    const dataDir = await folderWith("old");
    const file = join(dataDir, DATABASE_FILE);
    damage(file);
    const damagedBytes = readFileSync(file);
    const aside = join(dataDir, "aside.db");
    expect(restoreDatabase(backup, file, aside)).toBe(aside);
    expect(readFileSync(aside).equals(damagedBytes)).toBeTrue();
    expect(namesIn(file)).toEqual(["a"]);
  });

  test("keeps the WAL of a database that cannot be opened beside it", async () => {
    const backup = await backupOf("a");
    const dataDir = await folderWith("old");
    const file = join(dataDir, DATABASE_FILE);
    writeFileSync(file, "rubbish");
    writeFileSync(`${file}-wal`, "the last hour");
    const aside = join(dataDir, "aside.db");
    restoreDatabase(backup, file, aside);
    expect(readFileSync(`${aside}-wal`, "utf8")).toBe("the last hour");
    expect(existsSync(`${file}-wal`)).toBeFalse();
    expect(namesIn(file)).toEqual(["a"]);
  });

  test.each([
    [
      "a damaged backup",
      async () => {
        const file = await backupOf(...Array.from({ length: 300 }, (_, i) => "x".repeat(500) + i));
        overwrite(file, 40_960, 8192);
        return file;
      },
    ],
    [
      "another program's file",
      async () => {
        const file = join(tempFolder(), "theirs.db");
        new Sqlite(file).exec("CREATE TABLE theirs (a)").close();
        return file;
      },
    ],
    ["no file", async () => "/nowhere/backup.db"],
  ])("of %s is refused and leaves the database as it was", async (_, makeBackup) => {
    const backup = await makeBackup();
    const dataDir = await folderWith("old");
    const file = join(dataDir, DATABASE_FILE);
    const before = readdirSync(dataDir).toSorted();
    expect(() => restoreDatabase(backup, file, `${file}.old`)).toThrow(BackupError);
    expect(readdirSync(dataDir).toSorted()).toEqual(before);
    expect(namesIn(file)).toEqual(["old"]);
  });
});
