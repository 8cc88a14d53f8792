// ringward restore FILE
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemClock, toIso } from "../core/clock.ts";
import { BackupError, restoreDatabase, verifyBackup } from "../db/backup.ts";
import { DATABASE_FILE } from "../db/database.ts";
import { tryLock } from "../db/lock.ts";
import { megabytes } from "./backup.ts";
import type { Command } from "./command.ts";
import { configOf } from "./context.ts";
import { print, printError } from "./output.ts";

export const restore: Command = {
  name: "restore",
  summary:
    "Put the backup FILE in the place of the database. The server must be stopped; the old database is kept beside it.",
  positionals: ["FILE"],
  async run(args) {
    const { data } = configOf(args);
    const [file = ""] = args.positionals;
    printError("Verifying the backup …");
    verifyBackup(resolve(file));
    mkdirSync(data.dir, { recursive: true, mode: 0o700 });
    const lock = tryLock(data.dir);
    if (!lock) throw new BackupError(`A Ringward is running on ${data.dir}. Stop it first.`);
    try {
      const stamp = toIso(systemClock.now()).replaceAll(/[:.]/g, "-");
      const database = join(data.dir, DATABASE_FILE);
      const setAside = restoreDatabase(resolve(file), database, `${database}.before-restore-${stamp}`);
      print(`Restored ${database} (${megabytes(verifyBackup(database).bytes)}).`);
      if (setAside)
        print(`The old database is ${setAside}; delete it when you no longer need it: it holds personal data.`);
      return 0;
    } finally {
      lock.release();
    }
  },
};
