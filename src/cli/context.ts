// Shared setup of most commands: the settings, the database of the data folder and the services on it.
import { existsSync } from "node:fs";
import { createServices, type Services } from "../compose/services.ts";
import { loadConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { systemClock } from "../core/clock.ts";
import { AppError, messageOf } from "../core/errors.ts";
import { silentLogger } from "../core/logger.ts";
import { openDatabase, type Database, type Place } from "../db/database.ts";
import { DatabaseError } from "../db/open-fault.ts";
import { assertRootKey } from "../db/key-check.ts";
import { fileKeysIn, loadSealingKey } from "../db/folder-keys.ts";
import { besideServer } from "./running-server.ts";
import { UsageError, type Arguments, type Option } from "./command.ts";

export const ORG_OPTION: Readonly<Record<string, Option>> = {
  org: { type: "string", value: "ID", help: "The organisation; not needed if there is only one." },
};

export const JSON_OPTION: Readonly<Record<string, Option>> = {
  json: { type: "boolean", help: "Print JSON." },
};

export function configOf(
  args: Arguments,
  flags: Record<string, string | number> = {},
  defaults: Record<string, boolean> = {},
): Config {
  const data = args.text("data");
  return loadConfig({
    defaults,
    file: args.text("config"),
    flags: { ...flags, ...(data === undefined ? {} : { "data.dir": data }) },
  });
}

/** Location of the database for these settings. */
export const placeOf = ({ data, database, security }: Config): Place => ({ dataDir: data.dir, database, security });

export interface CommandContext {
  config: Config;
  db: Database;
  services: Services;
}

/** Opens the database, with or without a running server, and always closes it. */
export async function withServices(
  args: Arguments,
  work: (context: CommandContext) => Promise<number>,
): Promise<number> {
  const config = besideServer(configOf(args));
  // The folder is required on PostgreSQL too: it holds the key of stored secrets, and the recordings.
  if (!existsSync(config.data.dir))
    throw new DatabaseError(
      `There is no folder ${config.data.dir} yet. Run "ringward setup" or "ringward serve" first.`,
    );
  const db = await openDatabase(placeOf(config), { logger: silentLogger, as: "command" });
  try {
    const rootKey = await loadSealingKey(placeOf(config), db.reader);
    await assertRootKey(db.reader, rootKey);
    const dataKeys = fileKeysIn(placeOf(config));
    const services = createServices({ config, db, clock: systemClock, logger: silentLogger, rootKey, dataKeys });
    return await work({ config, db, services });
  } finally {
    await db.close();
  }
}

export async function organisationOf(args: Arguments, services: Services): Promise<string> {
  const asked = args.text("org");
  const all = await services.organisations.list();
  if (asked !== undefined) {
    if (!all.some(({ id }) => id === asked)) throw new AppError("NOT_FOUND", `There is no organisation ${asked}.`);
    return asked;
  }
  const [only, ...others] = all;
  if (!only) throw new AppError("NOT_FOUND", 'There is no organisation yet. Run "ringward setup".');
  if (others.length > 0)
    throw new UsageError(`There are ${all.length} organisations: name one with --org (see "ringward orgs list").`);
  return only.id;
}

/** Passwords are never passed as arguments, because every process on the machine can read those. */
export async function passwordOf(args: Arguments): Promise<string> {
  const file = args.text("password-file");
  return file === undefined ? withoutLineEnd(await Bun.stdin.text()) : readPasswordFile(file);
}

export async function readPasswordFile(file: string): Promise<string> {
  try {
    return withoutLineEnd(await Bun.file(file).text());
  } catch (error) {
    throw new AppError("VALIDATION_ERROR", `The password file ${file} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

export const PASSWORD_OPTION: Readonly<Record<string, Option>> = {
  "password-file": {
    type: "string",
    value: "FILE",
    help: "File that contains only the password; without it, standard input is read.",
  },
};
