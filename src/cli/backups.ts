// ringward backup now | list | drill: the backups that the server makes by itself, by hand.
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { stopwatch, systemClock, toIso } from "../core/clock.ts";
import { VERSION } from "../core/version.ts";
import { megabytes } from "../db/archive/archive-file.ts";
import { BackupError } from "../db/archive/fault.ts";
import type { Config } from "../config/schema.ts";
import { makeBackup } from "../db/backup/make-backup.ts";
import { changeBackupState, readBackupState } from "../db/kept-backups/backup-state.ts";
import { BACKUP_PROCESS, type BackupProcessOrder } from "../db/kept-backups/backup-process.ts";
import { runDrill, type DrillResult } from "../db/kept-backups/drill.ts";
import { makeKeptBackup, renewPersonKeys, withBackupLock } from "../db/kept-backups/make-kept-backup.ts";
import { openBackupPlace } from "../db/kept-backups/open-backup-place.ts";
import { rootKeyOf } from "../db/key-source.ts";
import { DATABASE_FILE } from "../db/sqlite/file.ts";
import { progressLines } from "./backup-progress.ts";
import { NOT_IN_A_FILE } from "./backup.ts";
import type { Command } from "./command.ts";
import { configOf, JSON_OPTION, placeOf } from "./context.ts";
import { print, printError, printJson, printTable } from "./output.ts";

const DRILL_FOLDER = "drill.partial";

export const backupNow: Command = {
  name: "backup now",
  summary: "Make a backup as the settings of [backup] say: encrypted, verified, and the oldest removed.",
  async run(args) {
    const config = configOf(args);
    assertFile(config);
    const elapsedMs = stopwatch();
    const { backup, data } = config;
    const made = await makeKeptBackup({
      dataDir: data.dir,
      settings: backup,
      place: openBackupPlace(backup),
      security: config.security,
      madeBy: VERSION,
      now: systemClock.now(),
      mayRemove: true,
      progress: progressLines(),
    });
    print(`${made.name}: ${megabytes(made.bytes)}, encrypted, verified, ${(elapsedMs() / 1000).toFixed(1)} s.`);
    for (const name of made.removed) print(`Removed: ${name}`);
    if (made.facts.missing > 0)
      printError(`${made.facts.missing} that the database names are not on the disk, or were erased in the meantime.`);
    if (made.fault !== null) printError(made.fault);
    printError("Only the secret key opens it: keep a copy of that elsewhere.");
    return 0;
  },
};

export const backupList: Command = {
  name: "backup list",
  summary: "List the verified backups in backup.to, and the last restore drill.",
  options: JSON_OPTION,
  async run(args) {
    const { backup, data } = configOf(args);
    const place = openBackupPlace(backup);
    const state = readBackupState(data.dir);
    const backups = (await place.list()).map(({ name, owner, madeAt, bytes }) => ({
      name,
      made_at: toIso(madeAt),
      bytes,
      is_of_this_appliance: owner === state?.owner,
    }));
    const drill = state?.lastDrill ?? null;
    const last_drill = drill && { name: drill.name, at: toIso(drill.at), is_same: drill.isSame };
    if (args.flag("json")) {
      printJson({ where: place.where, backups, last_drill });
      return 0;
    }
    printTable(
      ["backup", "made", "size", "of"],
      backups.map(({ name, made_at, bytes, is_of_this_appliance }) => [
        name,
        made_at,
        megabytes(bytes),
        is_of_this_appliance ? "this appliance" : "another",
      ]),
    );
    print(last_drill ? `Last drill: ${last_drill.at}, ${drillWord(last_drill.is_same)}.` : "Last drill: none.");
    return 0;
  },
};

const drillWord = (isSame: boolean) => (isSame ? "everything was there" : "something was missing");

export const backupDrill: Command = {
  name: "backup drill",
  summary: "Restore the newest backup of backup.to into a scratch folder, count what is there, and remove the folder.",
  options: {
    file: { type: "string", value: "FILE", help: "Another backup: its name in backup.to, or a file." },
    scratch: { type: "string", value: "DIR", help: "Where to restore (default: the data folder)." },
  },
  async run(args) {
    const config = configOf(args);
    assertFile(config);
    const { dir } = config.data;
    const scratch = join(resolve(args.text("scratch") ?? dir), DRILL_FOLDER);
    const elapsedMs = stopwatch();
    return withBackupLock(dir, async () => {
      // Left by a drill that was interrupted.
      rmSync(scratch, { recursive: true, force: true });
      mkdirSync(scratch, { mode: 0o700 });
      try {
        const { name, file } = await backupFor(config, args.text("file"), scratch);
        const now = systemClock.now();
        const result = runDrill({
          file,
          scratch: join(scratch, "restored"),
          rootKey: rootKeyOf(dir, config.security),
          livePlace: placeOf(config),
          now,
          progress: progressLines(),
        });
        printDrill(name, result, elapsedMs());
        changeBackupState(dir, now, { lastDrill: { name, at: now, isSame: result.isSame } });
        return result.isSame ? 0 : 1;
      } finally {
        rmSync(scratch, { recursive: true, force: true });
      }
    });
  },
};

async function backupFor(
  { backup }: Config,
  wanted: string | undefined,
  scratch: string,
): Promise<{ name: string; file: string }> {
  if (wanted !== undefined && existsSync(wanted)) return { name: wanted, file: resolve(wanted) };
  const place = openBackupPlace(backup);
  const found = await place.list();
  const [newest] = wanted === undefined ? found : found.filter(({ name }) => name === wanted);
  if (!newest) throw new BackupError(`There is no ${wanted ?? "backup"} in ${place.where}.`);
  return { name: newest.name, file: await place.fetch(newest.name, scratch) };
}

function printDrill(name: string, { madeAt, lines, hasCounts, isSame }: DrillResult, tookMs: number): void {
  const shown = lines.filter(({ inBackup, restored }) => inBackup + restored > 0);
  printTable(
    ["restored", "in the backup", "counted", ""],
    shown.map(({ what, inBackup, restored }) => [
      what,
      String(inBackup),
      String(restored),
      inBackup === restored ? "" : "differs",
    ]),
  );
  if (!hasCounts) printError("This backup was made by an older Ringward and has no counts of its rows.");
  const words = isSame ? "restored and counted: everything is there" : "restored and counted: it differs";
  print(`${name}${madeAt === null ? "" : `, made ${madeAt}`}: ${words}, ${(tookMs / 1000).toFixed(1)} s.`);
}

/** Started by the server. Its order comes over standard input, because it has secrets. */
export const makeBackupProcess: Command = {
  name: BACKUP_PROCESS,
  summary: "Make a backup for the server that started this, whose order comes over standard input.",
  isInternal: true,
  async run() {
    const order = (await Bun.stdin.json()) as BackupProcessOrder;
    if (order.kind === "copy") {
      makeBackup({ ...order, withRecordings: false, madeBy: VERSION, madeAt: toIso(order.now) });
      return 0;
    }
    const place = openBackupPlace(order.settings);
    if (order.kind === "keys") {
      await renewPersonKeys({ ...order, place });
      return 0;
    }
    const made = await makeKeptBackup({ ...order, place, madeBy: VERSION });
    if (made.fault !== null) printError(made.fault);
    return 0;
  },
};

function assertFile({ database, data }: Config): void {
  if (database.url !== "") throw new BackupError(NOT_IN_A_FILE);
  if (!existsSync(join(data.dir, DATABASE_FILE)))
    throw new BackupError(`There is no database in ${data.dir}. Name the data folder with --data.`);
}
