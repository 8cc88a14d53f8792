// Backups by the settings: encrypted, verified in their place, and the oldest removed after a newer one was verified.
import { describe, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkArchive, kindOf } from "../../../src/db/archive/archive-reader.ts";
import { lastBackupAt } from "../../../src/db/backup/last-backup.ts";
import { restoreBackup } from "../../../src/db/backup/restore-backup.ts";
import { readBackupState } from "../../../src/db/kept-backups/backup-state.ts";
import { BACKUP_LOCK_FILE } from "../../../src/db/kept-backups/make-kept-backup.ts";
import { openBackupPlace } from "../../../src/db/kept-backups/open-backup-place.ts";
import { DATABASE_FILE } from "../../../src/db/sqlite/file.ts";
import { tryLock } from "../../../src/db/sqlite/lock.ts";
import { overwrite } from "../../support/damage.ts";
import { tempFolder } from "../../support/temp.ts";
import { modeOf, namesIn, RESTORED_AT, soundOf } from "../backup/backups.ts";
import { DAY, filesIn, keptWith, NOON, ROOT_KEY, SECURITY } from "./kept.ts";

describe("a backup by the settings", () => {
  test("is encrypted, private, verified, and restores with the secret key alone", async () => {
    const { dataDir, to, make } = await keptWith();
    const { name, facts } = await make(0);
    const file = join(to, name);
    expect(filesIn(to)).toEqual([name]);
    expect(modeOf(file)).toBe(0o600);
    expect(facts).toMatchObject({ files: 4, missing: 0 });
    const bytes = readFileSync(file);
    for (const plain of [
      "SQLite format 3",
      "recordings/one.wav",
      soundOf("one").subarray(0, 64).toString("latin1"),
      "packets of one",
    ])
      expect(bytes.includes(Buffer.from(plain, "latin1"))).toBeFalse();
    expect(kindOf(file)).toBe("archive");
    expect(() => checkArchive(file)).toThrow("is encrypted");
    expect(() => checkArchive(file, { rootKeys: () => [Buffer.alloc(32, 8)] })).toThrow("another secret key");
    expect(checkArchive(file, { rootKeys: () => [ROOT_KEY] })).toMatchObject({
      files: 4,
      head: { rows: { heartbeats: 2 } },
    });
    const fresh = tempFolder();
    restoreBackup({ file, dataDir: fresh, restoredAt: RESTORED_AT, stamp: "x", security: SECURITY });
    expect(namesIn(join(fresh, DATABASE_FILE))).toEqual(["a", "b"]);
    expect(readFileSync(join(fresh, "recordings", "two.wav")).equals(soundOf("two"))).toBeTrue();
    expect(readBackupState(dataDir)).toMatchObject({ failures: 0, lastGood: { name, madeAt: NOON } });
    expect(lastBackupAt(dataDir)).toBe(NOON);
  });

  test("replaces the oldest, and leaves files of others alone", async () => {
    const { to, make } = await keptWith();
    const other = "ringward-0123456789ab-20200101T000000000Z.backup";
    for (const name of [other, "notes.txt", "ringward-x.backup"]) writeFileSync(join(to, name), "theirs");
    const names = [];
    for (let day = 0; day < 5; day++) names.push((await make(day)).name);
    expect(filesIn(to)).toEqual([...names.slice(2), other, "notes.txt", "ringward-x.backup"].toSorted());
  });

  test("has a name of its own, also in the second of the one before", async () => {
    const { to, make } = await keptWith();
    const names = [await make(0), await make(0, { now: NOON + 1 })].map(({ name }) => name);
    expect(filesIn(to)).toEqual(names);
  });

  test("removes nothing while the clock is not trusted, and what a wrong clock named first", async () => {
    const { to, make } = await keptWith();
    const wrong = (await make(10_000)).name;
    for (let day = 0; day < 2; day++) await make(day, { mayRemove: false });
    const last = await make(2, { mayRemove: false });
    expect(filesIn(to)).toHaveLength(4);
    expect((await make(3)).removed).toContain(wrong);
    expect(filesIn(to)).toContain(last.name);
    expect(filesIn(to)).toHaveLength(3);
  });

  test("that cannot be written keeps the others, counts the failure and leaves nothing behind", async () => {
    const { dataDir, to, make } = await keptWith({ keep: 1 });
    const { name } = await make(0);
    rmSync(join(dataDir, DATABASE_FILE));
    await expect(make(1)).rejects.toThrow("There is no database");
    expect(filesIn(to)).toEqual([name]);
    expect(filesIn(dataDir)).not.toContain("backup.partial");
    expect(readBackupState(dataDir)).toMatchObject({ failures: 1, failedAt: NOON + DAY, lastGood: { name } });
  });

  test("that is damaged in its place does not count, and removes nothing", async () => {
    const { dataDir, to, make, settings } = await keptWith({ keep: 1 });
    const { name } = await make(0);
    const place = openBackupPlace(settings);
    const spoiling = {
      ...place,
      put: (backup: Parameters<typeof place.put>[0]) =>
        place.put({
          ...backup,
          check(file) {
            overwrite(file, 70_000, 10);
            backup.check(file);
          },
        }),
    };
    await expect(make(1, { place: spoiling })).rejects.toThrow("is damaged");
    expect(filesIn(to)).toEqual([name]);
    expect(readBackupState(dataDir)?.failures).toBe(1);
  });

  test("never creates the folder, which may be a volume that is not mounted", async () => {
    const { to, make } = await keptWith();
    rmSync(to, { recursive: true });
    await expect(make(0)).rejects.toThrow("cannot be read");
  });

  test("is one at a time", async () => {
    const { dataDir, make } = await keptWith();
    const lock = tryLock(dataDir, BACKUP_LOCK_FILE);
    await expect(make(0)).rejects.toThrow("under way");
    lock?.release();
    await make(0);
  });

  test("removes what an interrupted one left, and nothing of another appliance", async () => {
    const { dataDir, to, make } = await keptWith();
    await make(0);
    const owner = readBackupState(dataDir)?.owner ?? "";
    const ours = `ringward-${owner}-20260228T000000000Z.backup.partial`;
    const theirs = "ringward-0123456789ab-20260228T000000000Z.backup.partial";
    for (const left of [ours, theirs]) writeFileSync(join(to, left), "half");
    await make(1);
    expect(filesIn(to)).toContain(theirs);
    expect(filesIn(to)).not.toContain(ours);
  });
});
