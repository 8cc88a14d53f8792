// ringward restore FILE
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemClock, toIso } from "../core/clock.ts";
import { kindOf } from "../db/archive/archive-reader.ts";
import { BackupError } from "../db/archive/fault.ts";
import { restoreBackup } from "../db/backup/restore-backup.ts";
import { DATABASE_FILE } from "../db/sqlite/file.ts";
import { tryLock } from "../db/sqlite/lock.ts";
import { progressLines } from "./backup-progress.ts";
import { NO_MANIFEST, NOT_IN_A_FILE } from "./backup.ts";
import type { Command } from "./command.ts";
import { configOf } from "./context.ts";
import { NEW_KEY_HELP, tellOfKey } from "./key.ts";
import { print, printError } from "./output.ts";

export const restore: Command = {
  name: "restore",
  summary:
    "Put the backup FILE in the place of the database. The server must be stopped; what was there is kept beside it.",
  positionals: ["FILE"],
  options: { "new-key": { type: "boolean", help: NEW_KEY_HELP } },
  async run(args) {
    const config = configOf(args);
    const { data, database } = config;
    if (database.url !== "") throw new BackupError(NOT_IN_A_FILE);
    const [name = ""] = args.positionals;
    const file = resolve(name);
    // A wrong name on the command line must not create a data folder.
    if (kindOf(file) === "database") printError(NO_MANIFEST);
    mkdirSync(data.dir, { recursive: true, mode: 0o700 });
    const lock = tryLock(data.dir);
    if (!lock) throw new BackupError(`A Ringward is running on ${data.dir}. Stop it first.`);
    try {
      const restoredAt = systemClock.now();
      const stamp = toIso(restoredAt).replaceAll(/[:.]/g, "-");
      const order = { file, dataDir: data.dir, restoredAt, stamp, progress: progressLines() };
      const { files, heldCalls, setAside } = restoreBackup(order);
      const brought = files === null ? "" : ` and ${files} recordings and captures`;
      print(`Restored ${join(data.dir, DATABASE_FILE)}${brought}.`);
      if (files === null) printError("The backup holds no recordings; those in the data folder were left as they are.");
      for (const path of setAside) print(`Kept: ${path}`);
      if (setAside.length > 0) print("Delete what was kept when you no longer need it: it holds personal data.");
      if (heldCalls > 0) print(heldWords(heldCalls));
      await tellOfKey(config, args.flag("new-key"));
      return 0;
    } finally {
      lock.release();
    }
  },
};

function heldWords(count: number): string {
  return (
    `Held: ${count} ${count === 1 ? "call that was" : "calls that were"} due before this restore and may have been made already. ` +
    'See "ringward calls held", then "ringward calls release" or "ringward calls cancel", for each organisation.'
  );
}
