// ringward backup FILE, ringward backup verify FILE
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { stopwatch, systemClock, toIso } from "../core/clock.ts";
import { megabytes } from "../db/archive/archive-file.ts";
import { checkArchive, kindOf } from "../db/archive/archive-reader.ts";
import { verifyDatabase } from "../db/backup/database-copy.ts";
import { BackupError } from "../db/archive/fault.ts";
import { noteBackup } from "../db/backup/last-backup.ts";
import { makeBackup } from "../db/backup/make-backup.ts";
import { writePersonKeys } from "../db/backup/person-keys-file.ts";
import { backupKeysOf } from "../db/key-source.ts";
import { DATABASE_FILE } from "../db/sqlite/file.ts";
import { VERSION } from "../core/version.ts";
import { progressLines } from "./backup-progress.ts";
import type { Command } from "./command.ts";
import { configOf } from "./context.ts";
import { print, printError } from "./output.ts";

export const NO_MANIFEST =
  "This backup was made by an older Ringward and has no manifest: only SQLite's own check was made, which does not see every damage.";

export const NOT_IN_A_FILE =
  "This appliance keeps its data in PostgreSQL: use pg_dump, or the point-in-time recovery that your people have set up. " +
  "Copy the recordings and captures of the data folder beside it, and keep its secret.key apart.";

export const backup: Command = {
  name: "backup",
  summary: "Copy the database into FILE while the server runs, with recordings if asked, and verify the copy.",
  positionals: ["FILE"],
  options: {
    "with-recordings": { type: "boolean", help: "Recordings and captured packets go into the same file." },
  },
  async run(args) {
    const { data, database, security } = configOf(args);
    const [file = ""] = args.positionals;
    if (database.url !== "") throw new BackupError(NOT_IN_A_FILE);
    if (!existsSync(join(data.dir, DATABASE_FILE)))
      throw new BackupError(`There is no database in ${data.dir}. Name the data folder with --data.`);
    const elapsedMs = stopwatch();
    const target = resolve(file);
    const madeAt = toIso(systemClock.now());
    const withRecordings = args.flag("with-recordings");
    const facts = makeBackup({
      dataDir: data.dir,
      security,
      target,
      withRecordings,
      madeBy: VERSION,
      madeAt,
      progress: progressLines(),
    });
    const keys = writePersonKeys({ dataDir: data.dir, security }, dirname(target));
    const fault = noteBackup(data.dir, target, madeAt);
    if (fault !== null) printError(`The backup is complete, but the metrics will not show it: ${fault}`);
    const files = withRecordings ? `, ${facts.files} recordings and captures` : "";
    print(
      `${target}: ${megabytes(facts.bytes)}, schema ${facts.schema}${files}, verified, ${(elapsedMs() / 1000).toFixed(1)} s.`,
    );
    if (facts.missing > 0)
      printError(`${facts.missing} that the database names are not on the disk, or were erased in the meantime.`);
    if (keys !== null)
      printError(
        `A restore needs the key file, too: ${keys}. An erasure renews it only beside the backups of [backup]: write ` +
          'it again with "ringward backup keys", and keep no older one.',
      );
    printError("Stored secrets open only with DATA/secret.key (or security.root_key): keep a copy of that elsewhere.");
    return 0;
  },
};

export const backupKeys: Command = {
  name: "backup keys",
  summary: "Write the present key file of people into the folder DIR, beside backups made by hand or downloaded.",
  positionals: ["DIR"],
  async run(args) {
    const { data, database, security } = configOf(args);
    const [folder = ""] = args.positionals;
    if (database.url !== "") throw new BackupError(NOT_IN_A_FILE);
    const file = writePersonKeys({ dataDir: data.dir, security }, resolve(folder));
    if (file === null) throw new BackupError("No backup was made of this database yet, so there are no keys.");
    print(file);
    return 0;
  },
};

export const backupVerify: Command = {
  name: "backup verify",
  summary: "Check every hash of the backup FILE, and change nothing.",
  positionals: ["FILE"],
  async run(args) {
    const { data, security } = configOf(args);
    const [name = ""] = args.positionals;
    const file = resolve(name);
    if (kindOf(file) === "database") {
      const { bytes, schema } = verifyDatabase(file);
      print(`${file}: ${megabytes(bytes)}, schema ${schema}.`);
      printError(NO_MANIFEST);
      return 0;
    }
    const step = progressLines();
    const { head, files, bytes } = checkArchive(file, {
      progress: (done) => step("Checking", done, 0),
      rootKeys: () => backupKeysOf(data.dir, security),
    });
    const held = head.with_recordings ? `${files} recordings and captures` : "without recordings";
    print(
      `${file}: ${megabytes(bytes)}, made ${head.made_at} by Ringward ${head.ringward}, schema ${head.schema}, ${held}: whole.`,
    );
    return 0;
  },
};
