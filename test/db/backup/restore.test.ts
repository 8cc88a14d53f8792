// A restore installs a backup and keeps the previous data; other files are rejected.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { silentLogger } from "../../../src/core/logger.ts";
import { kindOf } from "../../../src/db/archive/archive-reader.ts";
import { verifyDatabase } from "../../../src/db/backup/database-copy.ts";
import { BackupError } from "../../../src/db/archive/fault.ts";
import { APPLICATION_ID } from "../../../src/db/sqlite/connection.ts";
import { openDatabase } from "../../../src/db/database.ts";
import { DATABASE_FILE } from "../../../src/db/sqlite/file.ts";
import { latestVersion } from "../../../src/db/migrations.ts";
import { damageTable, overwrite } from "../../support/damage.ts";
import { openTempDatabase, tempFolder } from "../../support/temp.ts";
import {
  addCalls,
  backUp,
  backupOf,
  bareBackupOf,
  folderWith,
  modeOf,
  namesIn,
  note,
  picture,
  restoreInto,
} from "./backups.ts";
import { skipsFor } from "../../support/skips.ts";

describe("a bare database, as earlier versions made them, is rejected", () => {
  test("when it does not exist", () => {
    expect(() => kindOf("/nowhere/backup.db")).toThrow("There is no file at /nowhere/backup.db.");
  });

  test("when it is not a database", () => {
    const file = join(tempFolder(), "text.db");
    writeFileSync(file, "some text ".repeat(1000));
    expect(() => verifyDatabase(file)).toThrow(BackupError);
  });

  test("when it is another program's", () => {
    const file = join(tempFolder(), "theirs.db");
    const theirs = new Sqlite(file);
    theirs.exec("CREATE TABLE theirs (a)");
    theirs.close();
    expect(() => verifyDatabase(file)).toThrow("is not a Ringward backup");
  });

  test("when a newer Ringward made it", () => {
    const file = join(tempFolder(), "newer.db");
    const newer = new Sqlite(file);
    newer.pragma(`application_id = ${APPLICATION_ID}`);
    newer.pragma(`user_version = ${latestVersion() + 1}`);
    newer.close();
    expect(() => verifyDatabase(file)).toThrow("newer Ringward");
  });

  test("when it is damaged or cut short", async () => {
    const file = await bareBackupOf(...Array.from({ length: 300 }, (_, i) => "x".repeat(500) + i));
    const whole = readFileSync(file);
    const cut = join(tempFolder(), "cut.db");
    writeFileSync(cut, whole.subarray(0, Math.floor(whole.length / 2)));
    expect(() => verifyDatabase(cut)).toThrow(BackupError);
    damageTable(file, "heartbeats");
    expect(() => verifyDatabase(file)).toThrow(BackupError);
  });
});

describe("a restore", () => {
  test("replaces the database with the backup and keeps the old one, including the end of its WAL", async () => {
    const backup = await backupOf("from the backup");
    const { db, dataDir } = await openTempDatabase();
    await note(db, "old");
    // The state after a crash: the row is only in the WAL.
    const crashed = tempFolder();
    for (const suffix of ["", "-wal"]) {
      writeFileSync(join(crashed, DATABASE_FILE + suffix), readFileSync(join(dataDir, DATABASE_FILE + suffix)));
    }
    await db.close();

    const file = join(crashed, DATABASE_FILE);
    const aside = `${file}.before-restore-now`;
    const madeAt = "2026-03-01T00:00:00.000Z";
    const { rows, ...facts } = restoreInto(crashed, backup);
    expect(rows).toMatchObject({ heartbeats: 1 });
    expect(facts).toEqual({
      kind: "archive",
      madeAt,
      files: 0,
      erased: 0,
      gone: {},
      heldCalls: 0,
      setAside: [aside],
    });
    expect(namesIn(aside)).toEqual(["old"]);
    const restored = await openDatabase({ dataDir: crashed }, { logger: silentLogger, as: "server" });
    expect(await restored.reader.selectFrom("heartbeats").select("name").execute()).toEqual([
      { name: "from the backup" },
    ]);
    await restored.close();
  });

  test("into an empty folder keeps nothing", async () => {
    const backup = await backupOf("a");
    const dataDir = tempFolder();
    expect(restoreInto(dataDir, backup).setAside).toEqual([]);
    expect(namesIn(join(dataDir, DATABASE_FILE))).toEqual(["a"]);
  });

  test("accepts the bare database of an earlier version, and says so", async () => {
    const dataDir = await folderWith("old");
    expect(restoreInto(dataDir, await bareBackupOf("early"))).toMatchObject({
      kind: "database",
      madeAt: null,
      files: null,
    });
    expect(namesIn(join(dataDir, DATABASE_FILE))).toEqual(["early"]);
  });

  test("is refused without changes if the recordings folder is a link", async () => {
    const source = await folderWith("a");
    addCalls(source, ["one"]);
    const dataDir = await folderWith("old");
    symlinkSync(tempFolder(), join(dataDir, "recordings"));
    expect(() => restoreInto(dataDir, backUp(source))).toThrow("is a link or a volume of its own");
    expect(namesIn(join(dataDir, DATABASE_FILE))).toEqual(["old"]);
    expect(readdirSync(dataDir).filter((name) => /restore|captures/.test(name))).toEqual([]);
  });

  test("that fails during the swap renames everything back", async () => {
    const source = await folderWith("a");
    addCalls(source, ["one"]);
    const dataDir = await folderWith("old");
    addCalls(dataDir, ["mine"]);
    // The name is taken, so the recordings cannot be moved aside.
    mkdirSync(join(dataDir, "recordings.before-restore-now", "full"), { recursive: true });
    const before = picture(dataDir);
    expect(() => restoreInto(dataDir, backUp(source))).toThrow("The restore failed");
    expect(picture(dataDir)).toEqual(before);
  });

  test.skipIf(skipsFor(process.getuid?.() !== 0, "needs root"))(
    "by root leaves everything to the owner of the data folder",
    async () => {
      const source = await folderWith("a");
      addCalls(source, ["one"]);
      const dataDir = tempFolder();
      chownSync(dataDir, 65_532, 65_532);
      restoreInto(dataDir, backUp(source));
      for (const name of ["ringward.db", "recordings", "recordings/one.wav", "captures/one.pcap"])
        expect([name, statSync(join(dataDir, name)).uid]).toEqual([name, 65_532]);
    },
  );

  test("removes the leftovers of an interrupted one", async () => {
    const dataDir = await folderWith("old");
    mkdirSync(join(dataDir, "restore.partial", "recordings"), { recursive: true });
    restoreInto(dataDir, await backupOf("a"));
    expect(readdirSync(dataDir).filter((name) => name.includes("partial"))).toEqual([]);
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
    const aside = `${file}.before-restore-now`;
    expect(restoreInto(dataDir, backup).setAside).toEqual([aside]);
    expect(readFileSync(aside).equals(damagedBytes)).toBeTrue();
    expect(namesIn(file)).toEqual(["a"]);
  });

  test("keeps the WAL next to a database that cannot be opened", async () => {
    const backup = await backupOf("a");
    const dataDir = await folderWith("old");
    const file = join(dataDir, DATABASE_FILE);
    writeFileSync(file, "rubbish");
    writeFileSync(`${file}-wal`, "the last hour");
    const aside = `${file}.before-restore-now`;
    restoreInto(dataDir, backup);
    expect(readFileSync(`${aside}-wal`, "utf8")).toBe("the last hour");
    expect(existsSync(`${file}-wal`)).toBeFalse();
    expect(namesIn(file)).toEqual(["a"]);
  });

  test.each([
    [
      "a damaged backup",
      async () => {
        const file = await bareBackupOf(...Array.from({ length: 300 }, (_, i) => "x".repeat(500) + i));
        damageTable(file, "heartbeats");
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
    const before = picture(dataDir);
    expect(() => restoreInto(dataDir, backup)).toThrow(BackupError);
    expect(picture(dataDir)).toEqual(before);
    expect(namesIn(file)).toEqual(["old"]);
  });
});

describe("under the loosest umask", () => {
  let usual = 0;
  beforeEach(() => {
    usual = process.umask(0);
  });
  afterEach(() => process.umask(usual));

  test("restored files are private too", async () => {
    const source = await folderWith("a");
    addCalls(source, ["one"]);
    chmodSync(join(source, "recordings", "one.wav"), 0o644);
    const backup = backUp(source);
    const dataDir = tempFolder();
    restoreInto(dataDir, backup);
    expect(
      ["ringward.db", "recordings", "recordings/one.wav", "captures/one.pcap"].map((name) =>
        modeOf(join(dataDir, name)),
      ),
    ).toEqual([0o600, 0o700, 0o600, 0o600]);
    restoreInto(dataDir, await bareBackupOf("b"));
    expect(modeOf(join(dataDir, DATABASE_FILE))).toBe(0o600);
  });
});
