// A backup holds one moment of everything, in one private file; a restore brings it back and keeps what was there.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import Sqlite from "better-sqlite3";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { silentLogger } from "../../../src/core/logger.ts";
import { assertDiskSpace } from "../../../src/db/backup/archive-file.ts";
import { checkArchive, kindOf } from "../../../src/db/backup/archive-reader.ts";
import { verifyDatabase } from "../../../src/db/backup/database-copy.ts";
import { BackupError } from "../../../src/db/backup/fault.ts";
import { makeBackup, partialOf } from "../../../src/db/backup/make-backup.ts";
import { tarHeader } from "../../../src/db/backup/tar.ts";
import { APPLICATION_ID } from "../../../src/db/connection.ts";
import { DATABASE_FILE, openDatabase } from "../../../src/db/database.ts";
import { latestVersion } from "../../../src/db/migrate.ts";
import { openTempDatabase, tempFolder } from "../../support/temp.ts";
import { addCalls, backUp, folderWith, modeOf, namesIn, note, picture, restoreInto, soundOf } from "./backups.ts";

async function backupOf(...names: string[]): Promise<string> {
  return backUp(await folderWith(...names));
}

/** As earlier versions made them: the database and nothing around it. */
async function bareBackupOf(...names: string[]): Promise<string> {
  const file = join(tempFolder(), "backup.db");
  writeFileSync(file, readFileSync(join(await folderWith(...names), DATABASE_FILE)));
  return file;
}

/** The database inside, as `tar -xf` brings it out. */
function databaseIn(archive: string): string {
  const folder = tempFolder();
  const run = Bun.spawnSync(["tar", "-xf", archive, "-C", folder]);
  expect([run.exitCode, run.stderr.toString()]).toEqual([0, ""]);
  return join(folder, "ringward.db");
}

function overwrite(file: string, position: number, length: number): void {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(length, 0xa5), 0, length, position);
  closeSync(descriptor);
}

describe("a backup", () => {
  test("of an open database holds what was committed, in one file that only its owner can read", async () => {
    const { db, dataDir } = openTempDatabase();
    await note(db, "a");
    const target = backUp(dataDir);
    expect(checkArchive(target)).toMatchObject({
      files: 0,
      bytes: readFileSync(target).length,
      head: { schema: latestVersion(), with_recordings: true, ringward: "0.1.0" },
    });
    expect(namesIn(databaseIn(target))).toEqual(["a"]);
    expect(modeOf(target)).toBe(0o600);
    await db.close();
  });

  test("taken while commands are writing is one moment of the database: a whole prefix of the commands", async () => {
    const { db, dataDir } = openTempDatabase();
    const names = Array.from({ length: 900 }, (_, i) => `n${i}`);
    const writes = Promise.all(names.map((name) => note(db, name)));
    for (let i = 0; i < 4; i++) {
      await new Promise((done) => setImmediate(done));
      const held = namesIn(databaseIn(backUp(dataDir)));
      expect(held).toEqual(names.slice(0, held.length));
    }
    await writes;
    await db.close();
  });

  test("carries nothing of rows deleted before", async () => {
    const { db, dataDir } = openTempDatabase();
    await note(db, "Kamala-was-here");
    await db.write((tx) => tx.deleteFrom("heartbeats").execute());
    expect(readFileSync(backUp(dataDir)).includes("Kamala-was-here")).toBeFalse();
    await db.close();
  });

  test("never overwrites a file", async () => {
    const dataDir = await folderWith("a");
    const target = join(tempFolder(), "backup.tar");
    writeFileSync(target, "precious");
    expect(() => backUp(dataDir, { target })).toThrow(`${target} exists already. Name a new file.`);
    expect(readFileSync(target, "utf8")).toBe("precious");
  });

  test("that cannot be written says so and leaves nothing behind", async () => {
    const folder = tempFolder();
    const dataDir = await folderWith("a");
    expect(() => backUp(dataDir, { target: join(folder, "none", "backup.tar") })).toThrow(BackupError);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("of a damaged database is refused and leaves nothing behind", async () => {
    const dataDir = await folderWith(...Array.from({ length: 300 }, (_, i) => "x".repeat(500) + i));
    const file = join(dataDir, DATABASE_FILE);
    // A third of the file, because a single page may be one that nothing uses.
    const third = Math.floor(readFileSync(file).length / 3 / 4096) * 4096;
    overwrite(file, third, third);
    const folder = tempFolder();
    expect(() => backUp(dataDir, { target: join(folder, "backup.tar") })).toThrow(BackupError);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("of nothing is refused", () => {
    expect(() => backUp(tempFolder())).toThrow("There is no database");
  });

  test("replaces what one that was interrupted left, which no reader takes for a backup", async () => {
    const target = join(tempFolder(), "backup.tar");
    mkdirSync(partialOf(target));
    writeFileSync(join(partialOf(target), "archive"), "half");
    expect(() => kindOf(partialOf(target))).toThrow(BackupError);
    backUp(await folderWith("a"), { target });
    expect(existsSync(partialOf(target))).toBeFalse();
  });
});

describe("under the loosest umask", () => {
  let usual = 0;
  beforeEach(() => {
    usual = process.umask(0);
  });
  afterEach(() => process.umask(usual));

  test("nobody else can read any part of a backup, from the first byte to the last", async () => {
    const dataDir = await folderWith(...Array.from({ length: 300 }, (_, i) => "x".repeat(500) + i));
    addCalls(dataDir, ["one", "two"]);
    const target = join(tempFolder(), "backup.tar");
    const seen = new Map<string, Set<number | null>>();
    backUp(dataDir, {
      target,
      progress() {
        for (const path of [
          partialOf(target),
          ...readdirSync(partialOf(target)).map((name) => join(partialOf(target), name)),
        ])
          seen.set(path, (seen.get(path) ?? new Set()).add(modeOf(path)));
      },
    });
    expect(Object.fromEntries([...seen].map(([path, modes]) => [path.slice(target.length), [...modes]]))).toEqual({
      ".partial": [0o700],
      ".partial/ringward.db": [0o600],
      ".partial/archive": [0o600],
      ".partial/list": [0o600],
    });
    expect(modeOf(target)).toBe(0o600);
  });

  test("what a restore puts in place is private too", async () => {
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

describe("recordings and captures", () => {
  test("come along and come back, byte for byte; those of the folder before are kept aside", async () => {
    const source = await folderWith("a");
    addCalls(source, ["one", "two"]);
    const dataDir = await folderWith("old");
    addCalls(dataDir, ["mine"]);
    const { files, setAside } = restoreInto(dataDir, backUp(source));
    expect(files).toBe(4);
    expect(readdirSync(join(dataDir, "recordings")).toSorted()).toEqual(["one.wav", "two.wav"]);
    expect(readFileSync(join(dataDir, "recordings", "two.wav")).equals(soundOf("two"))).toBeTrue();
    expect(readFileSync(join(dataDir, "captures", "one.pcap"), "utf8")).toBe("packets of one");
    expect(setAside.map((path) => path.slice(dataDir.length + 1))).toEqual([
      "ringward.db.before-restore-now",
      "captures.before-restore-now",
      "recordings.before-restore-now",
    ]);
    expect(readdirSync(join(dataDir, "recordings.before-restore-now"))).toEqual(["mine.wav"]);
  });

  test("stay out unless they are asked for, and a restore then leaves those of the folder alone", async () => {
    const source = await folderWith("a");
    addCalls(source, ["one"]);
    const backup = backUp(source, { withRecordings: false });
    expect(readFileSync(backup).includes(soundOf("one").subarray(0, 64))).toBeFalse();
    const dataDir = await folderWith("old");
    addCalls(dataDir, ["mine"]);
    expect(restoreInto(dataDir, backup).files).toBeNull();
    expect(readdirSync(join(dataDir, "recordings"))).toEqual(["mine.wav"]);
  });

  test("only of finished calls that the copied database knows, and never through a link", async () => {
    const dataDir = await folderWith("a");
    addCalls(dataDir, ["done", "linked"]);
    addCalls(dataDir, ["talking"], { finished: false });
    writeFileSync(join(dataDir, "recordings", "stranger.wav"), "whose?");
    rmSync(join(dataDir, "recordings", "linked.wav"));
    symlinkSync("/etc/hostname", join(dataDir, "recordings", "linked.wav"));
    const into = tempFolder();
    restoreInto(into, backUp(dataDir));
    expect(readdirSync(join(into, "recordings"))).toEqual(["done.wav"]);
    expect(readdirSync(join(into, "captures")).toSorted()).toEqual(["done.pcap", "linked.pcap"]);
  });

  test.each([
    ["before it is reached", "Copying and verifying the database"],
    ["after it was copied", "Reading back"],
  ])("of a call erased while the backup is made, %s, are not in it", async (_, step) => {
    const dataDir = await folderWith("a");
    addCalls(dataDir, ["erased", "kept"]);
    const backup = backUp(dataDir, {
      progress(present) {
        if (present !== step) return;
        for (const file of ["recordings/erased.wav", "captures/erased.pcap"])
          rmSync(join(dataDir, file), { force: true });
      },
    });
    const bytes = readFileSync(backup);
    expect([bytes.includes(soundOf("erased").subarray(0, 64)), bytes.includes("packets of erased")]).toEqual([
      false,
      false,
    ]);
    expect(bytes.includes(soundOf("kept"))).toBeTrue();
    const into = tempFolder();
    expect(restoreInto(into, backup).files).toBe(2);
    expect(readdirSync(join(into, "recordings"))).toEqual(["kept.wav"]);
  });

  test("that grow or shrink while they are copied do no harm", async () => {
    const dataDir = await folderWith("a");
    addCalls(dataDir, ["one"]);
    const backup = backUp(dataDir, {
      progress: (step) => step === "Writing" && writeFileSync(join(dataDir, "recordings", "one.wav"), "x"),
    });
    checkArchive(backup);
  });
});

test("a disk without room is said before anything is written", () => {
  expect(() => assertDiskSpace(tempFolder(), 2 ** 60, "The backup")).toThrow(
    /^The backup needs 1099511627776\.0 MB in .*, where .* are free\.$/,
  );
});

test("a header tells sizes past 8 GiB as other tar programs do", () => {
  const header = tarHeader("ringward.db", 9 * 1024 ** 3);
  const file = join(tempFolder(), "large.tar");
  writeFileSync(file, Buffer.concat([header, Buffer.alloc(1024)]));
  expect(Bun.spawnSync(["tar", "-tvf", file]).stdout.toString()).toContain(` ${9 * 1024 ** 3} `);
});

describe("a bare database, as earlier versions made them, is refused", () => {
  test("when it is not there", () => {
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
    overwrite(file, Math.floor(whole.length / 8192) * 4096, 4096);
    expect(() => verifyDatabase(file)).toThrow(BackupError);
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
    const aside = `${file}.before-restore-now`;
    expect(restoreInto(crashed, backup)).toEqual({ kind: "archive", files: 0, heldCalls: 0, setAside: [aside] });
    expect(namesIn(aside)).toEqual(["old"]);
    const restored = openDatabase(crashed, { logger: silentLogger, as: "server" });
    expect(await restored.reader.selectFrom("heartbeats").select("name").execute()).toEqual([
      { name: "from the backup" },
    ]);
    await restored.close();
  });

  test("into an empty folder has nothing to keep", async () => {
    const backup = await backupOf("a");
    const dataDir = tempFolder();
    expect(restoreInto(dataDir, backup).setAside).toEqual([]);
    expect(namesIn(join(dataDir, DATABASE_FILE))).toEqual(["a"]);
  });

  test("takes the bare database of an earlier version, and says that it was one", async () => {
    const dataDir = await folderWith("old");
    expect(restoreInto(dataDir, await bareBackupOf("early"))).toMatchObject({ kind: "database", files: null });
    expect(namesIn(join(dataDir, DATABASE_FILE))).toEqual(["early"]);
  });

  test("refuses, and touches nothing, where the recordings are a link to somewhere else", async () => {
    const source = await folderWith("a");
    addCalls(source, ["one"]);
    const dataDir = await folderWith("old");
    symlinkSync(tempFolder(), join(dataDir, "recordings"));
    expect(() => restoreInto(dataDir, backUp(source))).toThrow("is a link or a volume of its own");
    expect(namesIn(join(dataDir, DATABASE_FILE))).toEqual(["old"]);
    expect(readdirSync(dataDir).filter((name) => /restore|captures/.test(name))).toEqual([]);
  });

  test("that fails in the middle of the swap gives everything its name back", async () => {
    const source = await folderWith("a");
    addCalls(source, ["one"]);
    const dataDir = await folderWith("old");
    addCalls(dataDir, ["mine"]);
    // Somebody was here first: the recordings cannot be set aside under this name.
    mkdirSync(join(dataDir, "recordings.before-restore-now", "full"), { recursive: true });
    const before = picture(dataDir);
    expect(() => restoreInto(dataDir, backUp(source))).toThrow("The restore failed");
    expect(picture(dataDir)).toEqual(before);
  });

  test.skipIf(process.getuid?.() !== 0)("by root leaves everything to the owner of the data folder", async () => {
    const source = await folderWith("a");
    addCalls(source, ["one"]);
    const dataDir = tempFolder();
    chownSync(dataDir, 65_532, 65_532);
    restoreInto(dataDir, backUp(source));
    for (const name of ["ringward.db", "recordings", "recordings/one.wav", "captures/one.pcap"])
      expect([name, statSync(join(dataDir, name)).uid]).toEqual([name, 65_532]);
  });

  test("clears away what one that was interrupted left", async () => {
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

  test("keeps the WAL of a database that cannot be opened beside it", async () => {
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
    const before = picture(dataDir);
    expect(() => restoreInto(dataDir, backup)).toThrow(BackupError);
    expect(picture(dataDir)).toEqual(before);
    expect(namesIn(file)).toEqual(["old"]);
  });
});

describe("recordings of simulated calls", () => {
  test("are made again by whoever listens, so a backup leaves them out and does not miss them", async () => {
    const dataDir = await folderWith("a");
    addCalls(dataDir, ["real", "listened.simulated", "unheard.simulated"]);
    rmSync(join(dataDir, "recordings", "unheard.simulated.wav"));
    const target = join(tempFolder(), "backup.tar");
    const order = { dataDir, target, withRecordings: true, madeBy: "0.1.0", madeAt: "2026-03-01T00:00:00.000Z" };
    // The real one has a capture besides.
    expect(makeBackup(order)).toMatchObject({ files: 2, missing: 0 });
    const restored = tempFolder();
    restoreInto(restored, target);
    expect(readdirSync(join(restored, "recordings"))).toEqual(["real.wav"]);
  });
});
