// Kills and full disks at every step of a backup and of the rotation after it: every earlier backup stays, nothing
// unverified counts, and the next run is as if nothing had happened.
import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkArchive } from "../../../src/db/archive/archive-reader.ts";
import { makeKeptBackup } from "../../../src/db/kept-backups/make-kept-backup.ts";
import { readBackupState } from "../../../src/db/kept-backups/backup-state.ts";
import { openBackupPlace } from "../../../src/db/kept-backups/open-backup-place.ts";
import { fillDisk } from "../../support/full-disk.ts";
import { isRoot } from "../../support/sandbox.ts";
import { skipsFor } from "../../support/skips.ts";
import { tempFolder } from "../../support/temp.ts";
import { addCalls, folderWith } from "../backup/backups.ts";
import { DAY, filesIn, keptWith, NOON, ROOT_KEY, SECURITY, settingsOf } from "./kept.ts";
import { steppedPlace } from "./stepped.ts";

const SCRIPT = join(import.meta.dir, "killed-backup.ts");
/** More than there are; the loop ends with the first run that was not cut off. */
const MOST_STEPS = 60;
const LEAST_STEPS = 10;

/** Each is whole; the newest is the one that the state names, or newer. */
async function wholeBackups(dataDir: string, to: string): Promise<string[]> {
  const names = (await openBackupPlace(settingsOf({ to })).list()).map(({ name }) => name);
  for (const name of names) checkArchive(join(to, name), { rootKeys: () => [ROOT_KEY] });
  expect(names).toContain(readBackupState(dataDir)?.lastGood?.name ?? "");
  return names;
}

test("killed at any step, every earlier backup that was to stay is whole", async () => {
  const { dataDir, to, make } = await keptWith({ keep: 2 });
  await make(0);
  await make(1);
  let before = await wholeBackups(dataDir, to);
  let step = 0;
  for (let day = 2; step < MOST_STEPS; step++, day++) {
    const run = Bun.spawnSync([process.execPath, SCRIPT, dataDir, to, String(day), String(step)], {
      stderr: "inherit",
    });
    const now = await wholeBackups(dataDir, to);
    // The newest before the kill is never lost, and the older one only after a newer one was verified.
    expect(now).toContain(before[0] ?? "");
    expect(now.length).toBeGreaterThanOrEqual(2);
    before = now;
    if (run.exitCode === 0) break;
    expect(run.signalCode).toBe("SIGKILL");
  }
  expect(step).toBeGreaterThanOrEqual(LEAST_STEPS);
  expect(before).toHaveLength(2);
  expect(filesIn(to)).toHaveLength(2);
  expect(filesIn(dataDir)).not.toContain("backup.partial");
}, 180_000);

describe.skipIf(skipsFor(!isRoot, "needs root to mount a small disk"))("on a disk that fills up", () => {
  for (const where of ["of the data folder", "of the backups"])
    test(`at any step (${where}), every earlier backup that was to stay is whole`, async () => {
      const disk = join(tempFolder(), "disk");
      mkdirSync(disk);
      expect(Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=32m,mode=0700", "tmpfs", disk]).success).toBeTrue();
      try {
        await filledAtEveryStep(disk, where === "of the backups");
      } finally {
        expect(Bun.spawnSync(["umount", disk]).success).toBeTrue();
      }
    }, 180_000);
});

async function filledAtEveryStep(disk: string, isPlace: boolean): Promise<void> {
  const { dataDir, to } = await foldersOn(disk, isPlace);
  const settings = settingsOf({ to, keep: 2 });
  let day = 0;
  const make = (fillAt: number) => {
    let left = fillAt;
    const step = () => {
      if (left-- === 0) fillDisk(disk);
    };
    return makeKeptBackup({
      dataDir,
      settings,
      place: steppedPlace(openBackupPlace(settings), step),
      security: SECURITY,
      madeBy: "0.1.0",
      now: NOON + day++ * DAY,
      mayRemove: true,
      progress: step,
    }).then(
      () => left >= 0,
      () => null,
    );
  };
  await make(Infinity);
  await make(Infinity);
  let before = await wholeBackups(dataDir, to);
  let filled = 0;
  let failed = 0;
  for (let step = 0; step < MOST_STEPS; step++) {
    const done = await make(step);
    const wasFilled = done !== true;
    if (done === null) failed++;
    if (wasFilled) filled++;
    const now = await wholeBackups(dataDir, to);
    expect(now).toContain(before[0] ?? "");
    expect(now.length).toBeGreaterThanOrEqual(2);
    before = now;
    rmSync(join(disk, "ballast"), { force: true });
    if (!wasFilled) break;
  }
  expect(filled).toBeGreaterThanOrEqual(LEAST_STEPS);
  expect(failed).toBeGreaterThan(0);
  expect(filesIn(to)).toHaveLength(2);
}

async function foldersOn(disk: string, isPlace: boolean): Promise<{ dataDir: string; to: string }> {
  const made = await folderWith("a");
  addCalls(made, ["one"]);
  const [dataDir, to] = isPlace ? [made, join(disk, "backups")] : [join(disk, "data"), tempFolder()];
  mkdirSync(to, { recursive: true });
  if (!isPlace) expect(Bun.spawnSync(["cp", "-r", made, dataDir]).success).toBeTrue();
  return { dataDir, to };
}
