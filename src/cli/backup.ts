// ringward backup FILE
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { stopwatch } from "../core/clock.ts";
import { BackupError, backupDatabase } from "../db/backup.ts";
import { DATABASE_FILE } from "../db/database.ts";
import type { Command } from "./command.ts";
import { configOf } from "./context.ts";
import { print, printError } from "./output.ts";

export const backup: Command = {
  name: "backup",
  summary: "Copy the database into FILE while the server runs, and verify the copy.",
  positionals: ["FILE"],
  async run(args) {
    const { data } = configOf(args);
    const [file = ""] = args.positionals;
    const source = join(data.dir, DATABASE_FILE);
    if (!existsSync(source))
      throw new BackupError(`There is no database in ${data.dir}. Name the data folder with --data.`);
    const elapsedMs = stopwatch();
    printError(`Copying and verifying ${megabytes(statSync(source).size)} …`);
    const facts = backupDatabase(source, resolve(file));
    print(
      `${resolve(file)}: ${megabytes(facts.bytes)}, schema ${facts.schema}, verified, ${(elapsedMs() / 1000).toFixed(1)} s.`,
    );
    printError("Stored secrets open only with DATA/secret.key (or security.root_key): keep a copy of that apart.");
    return 0;
  },
};

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
