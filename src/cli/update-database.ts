// Copy of the database from before an update, for rollback. It is deleted as soon as the new version is ready.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/schema.ts";
import { systemClock, toIso } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { makeBackup } from "../db/backup/make-backup.ts";
import { restoreBackup } from "../db/backup/restore-backup.ts";
import { DATABASE_FILE } from "../db/sqlite/file.ts";
import { tryLock } from "../db/sqlite/lock.ts";
import type { UpdateWorld } from "../update/install-release.ts";
import { VERSION } from "../core/version.ts";
import { missingSince } from "./missing-since.ts";
import { print } from "./output.ts";

const copyOf = ({ data }: Config): string => join(data.dir, "before-update.backup");

export const hasCopy = (config: Config): boolean => existsSync(copyOf(config));

/** SQLite only; the server must be stopped. */
export function databaseCopy(config: Config): NonNullable<UpdateWorld["database"]> {
  const { dir } = config.data;
  const file = copyOf(config);
  return {
    copy() {
      if (!existsSync(join(dir, DATABASE_FILE))) return;
      rmSync(file, { force: true });
      makeBackup({
        dataDir: dir,
        security: config.security,
        target: file,
        withRecordings: false,
        isForRollback: true,
        madeBy: VERSION,
        madeAt: toIso(systemClock.now()),
      });
    },
    putBack() {
      const lock = tryLock(dir);
      if (!lock) throw new AppError("CONFLICT", `Ringward is still running on ${dir}. Stop it first.`);
      try {
        const restoredAt = systemClock.now();
        const stamp = toIso(restoredAt).replaceAll(/[:.]/g, "-");
        const { madeAt, heldCalls, setAside } = restoreBackup({
          file,
          dataDir: dir,
          security: config.security,
          restoredAt,
          stamp,
        });
        print(`The database is as before the update. Held calls: ${heldCalls} calls that were due.`);
        print(missingSince(madeAt));
        for (const path of setAside) print(`Kept, with personal data: ${path}`);
      } finally {
        lock.release();
      }
    },
    forgetCopy: () => rmSync(file, { force: true }),
  };
}
