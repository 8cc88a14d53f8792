// ringward restore FILE
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemClock, toIso } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { kindOf } from "../db/archive/archive-reader.ts";
import { BackupError } from "../db/archive/fault.ts";
import { restoreBackup } from "../db/backup/restore-backup.ts";
import { DATABASE_FILE } from "../db/sqlite/file.ts";
import { tryLock } from "../db/sqlite/lock.ts";
import { progressLines } from "./backup-progress.ts";
import { NO_MANIFEST, NOT_IN_A_FILE } from "./backup.ts";
import type { Arguments, Command } from "./command.ts";
import { configOf, withServices } from "./context.ts";
import { NEW_KEY_HELP, tellOfKey } from "./key.ts";
import { missingSince } from "./missing-since.ts";
import { print, printError } from "./output.ts";

export const restore: Command = {
  name: "restore",
  summary: "Restore the backup FILE. The server must be stopped; the previous database is kept beside it.",
  positionals: ["FILE"],
  options: {
    "new-key": { type: "boolean", help: NEW_KEY_HELP },
    "person-keys": {
      type: "string",
      value: "FILE",
      help: "The key file of people; needed if neither this data folder nor the backup's folder has it.",
    },
  },
  async run(args) {
    const config = configOf(args);
    const { data, database, security } = config;
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
      const personKeys = args.text("person-keys");
      const { madeAt, files, heldCalls, setAside, erased } = restoreBackup({
        file,
        dataDir: data.dir,
        security,
        restoredAt,
        stamp,
        progress: progressLines(),
        ...(personKeys !== undefined && { personKeys }),
      });
      const brought = files === null ? "" : ` and ${files} recordings and captures`;
      print(`Restored ${join(data.dir, DATABASE_FILE)}${brought}.`);
      if (files === null) printError("The backup contains no recordings; those in the data folder were not changed.");
      for (const path of setAside) print(`Kept: ${path}`);
      if (setAside.length > 0) print("Delete the kept files when you no longer need them: they contain personal data.");
      if (heldCalls > 0) print(heldWords(heldCalls));
      print(missingSince(madeAt));
      await tellOfKey(config, args.flag("new-key"));
      if (erased === null) printError(MAY_SHOW_ERASED);
      else if (erased > 0) await repeatErasures(args, erased);
      return 0;
    } finally {
      lock.release();
    }
  },
};

const MAY_SHOW_ERASED =
  "This backup was made by an older Ringward: it may show people who were erased since. Erase them again.";

/** The rows are blank already; this removes them, as the erasure did. */
async function repeatErasures(args: Arguments, erased: number): Promise<void> {
  print(`Not restored: ${erased} ${erased === 1 ? "person or call" : "people and calls"} erased since the backup.`);
  try {
    await withServices(args, async ({ services }) => {
      await services.erasure.repeat();
      return 0;
    });
  } catch (error) {
    printError(`Their blank rows go with the next start: ${messageOf(error)}`);
  }
}

function heldWords(count: number): string {
  return (
    `Held: ${count} ${count === 1 ? "call that was" : "calls that were"} due before this restore and may have been made already. ` +
    'See "ringward calls held", then "ringward calls release" or "ringward calls cancel", for each organisation.'
  );
}
