// ringward move --to postgres://… | FOLDER
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Config } from "../config/schema.ts";
import { monotonicMs, stopwatch, systemClock, toIso } from "../core/clock.ts";
import { silentLogger } from "../core/logger.ts";
import { DATA_KEYS_FILE } from "../db/data-keys.ts";
import { wrappedKeysIn } from "../db/folder-keys.ts";
import { lookAtDatabase, openDatabase, type Database, type Place } from "../db/database.ts";
import { moveEverything } from "../db/move/move.ts";
import { DatabaseError } from "../db/open-fault.ts";
import { UsageError, type Arguments, type Command } from "./command.ts";
import { configOf, placeOf } from "./context.ts";
import { forgetMoved, noteMoved, refuseMoved } from "./moved-note.ts";
import { print, printError } from "./output.ts";

export const move: Command = {
  name: "move",
  summary:
    "Copy all data from SQLite to PostgreSQL or back, and compare. The server must be stopped; if the copy fails, run it again.",
  options: {
    to: {
      type: "string",
      value: "URL|DIR",
      help: "postgres://…, or the data folder for a SQLite file.",
      required: true,
    },
    "password-file": { type: "string", value: "FILE", help: "Password file of the target PostgreSQL." },
    "ca-file": { type: "string", value: "FILE", help: "CA file of its certificate." },
  },
  async run(args) {
    const config = configOf(args);
    const source = placeOf(config);
    const target = targetOf(args, config);
    await assertThere(source);
    assertKeysAreThere(source, target);
    const elapsedMs = stopwatch();
    // The PostgreSQL side needs a folder for its lock, and the lock of the data folder is held for SQLite.
    const elsewhere = mkdtempSync(join(tmpdir(), "ringward-move-"));
    try {
      await withBoth(source, target, elsewhere, async (from, to) => {
        refuseMoved(source.dataDir, from.maintenance.where);
        const moved = await moveEverything({ from, to, clock: systemClock, progress: progressLines() });
        for (const { name, rows, sha256 } of moved)
          if (rows > 0) print(`${name.padEnd(24)} ${String(rows).padStart(9)}  ${sha256}`);
        const { where } = to.maintenance;
        forgetMoved(target.dataDir);
        noteMoved(source.dataDir, { from: from.maintenance.where, to: where, at: toIso(systemClock.now()) });
        print(`Everything is in ${where}, compared, ${(elapsedMs() / 1000).toFixed(1)} s.`);
      });
    } finally {
      rmSync(elsewhere, { recursive: true, force: true });
    }
    printError(nextWords(target, source));
    return 0;
  },
};

/** Read-only, so that a wrong folder on the command line does not create a database. */
async function assertThere(source: Place): Promise<void> {
  const look = await lookAtDatabase(source);
  if (!look) throw new DatabaseError("There is no database to move yet.");
  await look.close();
}

function targetOf(args: Arguments, config: Config): Place {
  const to = args.text("to") ?? "";
  if (!/^postgres(ql)?:\/\//.test(to)) {
    if (config.database.url === "") throw new UsageError("--to must be postgres://…: the data is in a file already.");
    return { dataDir: resolve(to), security: config.security };
  }
  if (to === config.database.url) throw new UsageError("--to is where the data is already.");
  const { password_file, ca_file, tls, connections } = config.database;
  const database = {
    url: to,
    password_file: args.text("password-file") ?? password_file,
    ca_file: args.text("ca-file") ?? ca_file,
    tls,
    connections,
  };
  return { dataDir: config.data.dir, database };
}

/** Its temporary folder gets no data keys. */
const ofServer = ({ database }: Place, dataDir: string): Place => (database ? { dataDir, database } : { dataDir });

/** The secrets in the database, and the recordings that are copied later, open only with these keys. */
function assertKeysAreThere(source: Place, target: Place): void {
  if (isPostgres(target) || wrappedKeysIn(source.dataDir) === null || wrappedKeysIn(target.dataDir) !== null) return;
  throw new DatabaseError(
    `First copy ${DATA_KEYS_FILE}, and secret.key if there is one, from ${source.dataDir} to ${target.dataDir}.`,
  );
}

const isPostgres = ({ database }: Place) => database !== undefined && database.url !== "";

async function withBoth(
  source: Place,
  target: Place,
  elsewhere: string,
  work: (from: Database, to: Database) => Promise<void>,
): Promise<void> {
  const opened = (at: Place, name: string) =>
    openDatabase(isPostgres(at) ? ofServer(at, join(elsewhere, name)) : at, {
      logger: silentLogger,
      as: "server",
    });
  const from = await opened(source, "from");
  try {
    const to = await opened(target, "to");
    try {
      await work(from, to);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

const EVERY_MS = 2_000;

/** Prints each table at once, then one line every few seconds. */
function progressLines(): (step: string, done: number) => void {
  let present = "";
  let saidAtMs = monotonicMs();
  return (step, done) => {
    if (step !== present) printError(`${step} …`);
    else if (monotonicMs() - saidAtMs < EVERY_MS) return;
    else printError(`${step}: ${done}`);
    present = step;
    saidAtMs = monotonicMs();
  };
}

function nextWords(target: Place, source: Place): string {
  if (isPostgres(target))
    return "Set database.url to it (the password in database.password_file), and start the server.";
  const files =
    target.dataDir === source.dataDir
      ? ""
      : ` Copy recordings, captures, secret.key and data-keys of ${source.dataDir} there.`;
  const serve = existsSync(target.dataDir) ? `Set database.url = "" and data.dir to ${target.dataDir}.` : "";
  return `${serve}${files}`;
}
