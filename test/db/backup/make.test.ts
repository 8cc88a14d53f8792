// A backup is a consistent snapshot of the database in one private file.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assertDiskSpace } from "../../../src/db/archive/archive-file.ts";
import { checkArchive, kindOf } from "../../../src/db/archive/archive-reader.ts";
import { BackupError } from "../../../src/db/archive/fault.ts";
import { partialOf } from "../../../src/db/backup/make-backup.ts";
import { tarHeader } from "../../../src/db/archive/tar.ts";
import { DATABASE_FILE } from "../../../src/db/sqlite/file.ts";
import { latestVersion } from "../../../src/db/migrations.ts";
import { openTempDatabase, tempFolder } from "../../support/temp.ts";
import { overwrite } from "../../support/damage.ts";
import { addCalls, backUp, databaseIn, folderWith, modeOf, namesIn, note } from "./backups.ts";

describe("a backup", () => {
  test("of an open database contains what was committed, in one file that only its owner can read", async () => {
    const { db, dataDir } = await openTempDatabase();
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

  test("taken while commands write is a consistent snapshot: a prefix of the commands", async () => {
    const { db, dataDir } = await openTempDatabase();
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

  test("contains nothing of rows deleted before", async () => {
    const { db, dataDir } = await openTempDatabase();
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

  test("that cannot be written reports it and leaves nothing behind", async () => {
    const folder = tempFolder();
    const dataDir = await folderWith("a");
    expect(() => backUp(dataDir, { target: join(folder, "none", "backup.tar") })).toThrow(BackupError);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("of a damaged database is refused and leaves nothing behind", async () => {
    const dataDir = await folderWith(...Array.from({ length: 300 }, (_, i) => "x".repeat(500) + i));
    const file = join(dataDir, DATABASE_FILE);
    // A third of the file, because a single page may be unused.
    const third = Math.floor(readFileSync(file).length / 3 / 4096) * 4096;
    overwrite(file, third, third);
    const folder = tempFolder();
    expect(() => backUp(dataDir, { target: join(folder, "backup.tar") })).toThrow(BackupError);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("without a database is refused", () => {
    expect(() => backUp(tempFolder())).toThrow("There is no database");
  });

  test("replaces the leftover of an interrupted one, which is never read as a backup", async () => {
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

  test("no other user can read any part of a backup, from the first byte to the last", async () => {
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
      ".partial/file": [0o600],
    });
    expect(modeOf(target)).toBe(0o600);
  });
});

test("a lack of disk space is reported before anything is written", () => {
  expect(() => assertDiskSpace(tempFolder(), 2 ** 60, "The backup")).toThrow(
    /^The backup needs 1099511627776\.0 MB in .*, where .* are free\.$/,
  );
});

test("a header encodes sizes above 8 GiB like other tar programs", () => {
  const header = tarHeader("ringward.db", 9 * 1024 ** 3);
  const file = join(tempFolder(), "large.tar");
  writeFileSync(file, Buffer.concat([header, Buffer.alloc(1024)]));
  expect(Bun.spawnSync(["tar", "-tvf", file]).stdout.toString()).toContain(` ${9 * 1024 ** 3} `);
});
