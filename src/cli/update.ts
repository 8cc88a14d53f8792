// ringward update FILE: verifies a release, replaces this executable with it, and rolls back if the new version does
// not start.
import { existsSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Config } from "../config/schema.ts";
import { SECOND_MS, systemClock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { latestVersion } from "../db/migrations.ts";
import { tryLock } from "../db/sqlite/lock.ts";
import { platformName } from "../speech/onnx/platform.ts";
import { packsLeftOut } from "../speech/packs/packs.ts";
import { previousOf, sha256Of, stage, stagedOf, swapBack, swapIn } from "../update/executable-swap.ts";
import { goBack, installRelease, type UpdateOutcome, type UpdateWorld } from "../update/install-release.ts";
import { isOwnedByPackage } from "../update/installed-package.ts";
import { builtInKeys, fingerprintOf, readPublicKey } from "../update/release-keys.ts";
import { compareVersions } from "../update/release-version.ts";
import {
  executableOf,
  readSignedSums,
  SIGNATURE_FILE,
  signedNameOf,
  SUMS_FILE,
  type ReleasedExecutable,
} from "../update/signed-sums.ts";
import { COMMIT, VERSION } from "../core/version.ts";
import { UsageError, type Arguments, type Command, type Option } from "./command.ts";
import { configOf } from "./context.ts";
import { lookingAt } from "./database-look.ts";
import { print } from "./output.ts";
import { databaseCopy, hasCopy } from "./update-database.ts";
import { becomesReady } from "./update-readiness.ts";
import { serverControlOf } from "./update-server.ts";

const LOCK_FILE = "update.lock";
const DEFAULT_WAIT_SECONDS = "300";

const refused = (message: string) => new AppError("CONFLICT", message);

const KEY_OPTION: Readonly<Record<string, Option>> = {
  key: { type: "string", value: "PEM", help: "Trust this Ed25519 public key instead of the built-in one." },
};

const SERVER_OPTIONS: Readonly<Record<string, Option>> = {
  service: { type: "string", value: "UNIT", help: "The systemd unit (default: the one that the server runs in)." },
  stop: { type: "string", value: "COMMAND", help: "Without systemd: stops the server." },
  start: { type: "string", value: "COMMAND", help: "Without systemd: starts the server and returns." },
  wait: { type: "string", value: "SECONDS", help: "Time to become ready.", default: DEFAULT_WAIT_SECONDS },
};

export const update: Command = {
  name: "update",
  summary:
    "Verify the signed release FILE, replace this executable with it and restart the server. " +
    "If the new version does not become ready, the previous one returns.",
  positionals: ["FILE"],
  options: {
    ...KEY_OPTION,
    ...SERVER_OPTIONS,
    dumped: { type: "boolean", help: "On PostgreSQL: a dump was made, so the new version may change the schema." },
  },
  async run(args) {
    const [file = ""] = args.positionals;
    const outcome = await alone(args, (config, executable) => install(args, config, executable, resolve(file)));
    return outcome === "updated" || outcome === "swapped" ? 0 : 1;
  },
};

export const updateCheck: Command = {
  name: "update check",
  summary: "Verify the signature of FILE, which may be any file of a release, and change nothing.",
  positionals: ["FILE"],
  options: KEY_OPTION,
  async run(args) {
    const [file = ""] = args.positionals;
    verified(args, resolve(file));
    return 0;
  },
};

export const updateBack: Command = {
  name: "update back",
  summary: "Return to the executable that the last update replaced, and restart the server.",
  options: SERVER_OPTIONS,
  async run(args) {
    const outcome = await alone(args, (config, executable) => back(args, config, executable));
    return outcome === "gone back" ? 0 : 1;
  },
};

/** Runs one update at a time. */
async function alone(
  args: Arguments,
  work: (config: Config, executable: string) => Promise<UpdateOutcome>,
): Promise<UpdateOutcome> {
  const executable = ownExecutable();
  const config = configOf(args);
  if (!existsSync(config.data.dir)) throw refused(`There is no folder ${config.data.dir}. ${NAME_FOLDER}`);
  const lock = tryLock(config.data.dir, LOCK_FILE);
  if (!lock) throw refused("Another update is running.");
  try {
    finishWhatIsBegun();
    return await work(config, executable);
  } finally {
    lock.release();
  }
}

const NAME_FOLDER = "Name the data folder with --data, or the settings of the server with --config.";

/** From source there is no executable to replace, and a package manager replaces its own. */
function ownExecutable(): string {
  if (COMMIT === "source") throw refused("Ringward runs from source here. Update the sources instead.");
  const executable = realpathSync(process.execPath);
  if (isOwnedByPackage(executable))
    throw refused(
      `${executable} belongs to the Debian package. Verify the new one with "ringward update check FILE.deb", ` +
        'then run "apt install ./FILE.deb".',
    );
  return executable;
}

/** Ignores SIGINT, SIGTERM and SIGHUP between stop and start, so that the server does not stay stopped. */
function finishWhatIsBegun(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
}

interface Verified {
  name: string;
  sha256: string;
}

function verified(args: Arguments, file: string): Verified {
  const own = args.text("key");
  const keys = own === undefined ? builtInKeys() : [readPublicKey(own)];
  if (keys.length === 0)
    throw refused("This executable was built without a release key. Name the public key of the release with --key.");
  const folder = dirname(file);
  const signed = readSignedSums(join(folder, SUMS_FILE), join(folder, SIGNATURE_FILE), keys);
  const sha256 = sha256Of(file);
  const name = signedNameOf(signed, sha256);
  if (name === null) throw refused(`${file} is not a file of the signed release beside it: its SHA-256 is ${sha256}.`);
  print(`${basename(file)} is ${name}, signed by ${fingerprintOf(signed.key)}.`);
  return { name, sha256 };
}

function assertSuitable(name: string, found: ReleasedExecutable | null): ReleasedExecutable {
  if (!found) throw refused(`${name} is not an executable of Ringward.`);
  const platform = platformName();
  if (found.platform !== platform) throw refused(`${name} is for ${found.platform}; this machine is ${platform}.`);
  const order = compareVersions(found.version, VERSION);
  if (order === 0) throw refused(`Ringward ${VERSION} is installed already.`);
  if (order < 0) throw refused(`${name} is older than the installed ${VERSION}. Nothing was changed.`);
  if (found.isSlim && packsLeftOut().length === 0)
    throw refused(`${name} lacks weights that this executable contains. Take the full one.`);
  return found;
}

async function install(args: Arguments, config: Config, executable: string, file: string): Promise<UpdateOutcome> {
  const { name, sha256 } = verified(args, file);
  const { version } = assertSuitable(name, executableOf(name));
  await refuseUnfinished(config);
  const control = await serverControlOf(args, config);
  const staged = stage(file, executable, sha256);
  const incoming = factsOf(staged);
  if (incoming?.version !== version)
    throw unstaged(executable, `${name} does not run on this machine, or is not ${version}. Nothing was changed.`);
  const changesSchema = incoming.schema > latestVersion();
  if (changesSchema && config.database.url !== "" && !args.flag("dumped"))
    throw unstaged(
      executable,
      `${version} changes the schema of the database, and ${VERSION} cannot read it afterwards. ` +
        "Make a dump of PostgreSQL (pg_dump), then repeat the command with --dumped.",
    );
  const world = worldOf(args, config, executable, { control, previousSchema: latestVersion() });
  return installRelease({ ...world, database: changesSchema ? world.database : null }, { from: VERSION, to: version });
}

function unstaged(executable: string, message: string): AppError {
  rmSync(stagedOf(executable), { force: true });
  return refused(message);
}

/** A remaining copy of the database belongs to an update that was killed. */
async function refuseUnfinished(config: Config): Promise<void> {
  if (!hasCopy(config)) return;
  const wait = { config, clock: systemClock, mostMs: 10 * SECOND_MS, hasFailed: async () => false };
  if ((await becomesReady(VERSION, wait)) === null) {
    databaseCopy(config).forgetCopy();
    return;
  }
  throw refused(
    "An earlier update was interrupted, and no server is ready. Start the server, or return to the previous version: " +
      '"ringward update back".',
  );
}

async function back(args: Arguments, config: Config, executable: string): Promise<UpdateOutcome> {
  const previous = previousOf(executable);
  const facts = existsSync(previous) ? factsOf(previous) : null;
  if (!facts) throw refused(`There is no executable ${previous} to return to.`);
  const control = await serverControlOf(args, config);
  const world = worldOf(args, config, executable, { control, previousSchema: facts.schema });
  return goBack({ ...world, database: hasCopy(config) ? world.database : null }, { from: facts.version, to: VERSION });
}

interface WorldFacts {
  control: Awaited<ReturnType<typeof serverControlOf>>;
  previousSchema: number;
}

function worldOf(args: Arguments, config: Config, executable: string, facts: WorldFacts): UpdateWorld {
  const { control, previousSchema } = facts;
  const mostMs = waitMsOf(args);
  return {
    server: control,
    becomesReady: (version) =>
      becomesReady(version, {
        config,
        clock: systemClock,
        mostMs,
        hasFailed: async () => (await control?.hasFailed()) ?? false,
      }),
    database: config.database.url === "" ? databaseCopy(config) : null,
    isDatabaseTooNew: async () => ((await lookingAt(config, async ({ schema }) => schema)) ?? 0) > previousSchema,
    swapIn: () => swapIn(executable),
    swapBack: () => swapBack(executable),
    say: print,
  };
}

function waitMsOf(args: Arguments): number {
  const text = args.text("wait") ?? DEFAULT_WAIT_SECONDS;
  if (!/^[1-9][0-9]{0,4}$/.test(text)) throw new UsageError("--wait must be a number of seconds.");
  return Number(text) * SECOND_MS;
}

const LONGEST_START_MS = 60 * SECOND_MS;

/** Version and schema that an executable reports; null if it does not run here. */
function factsOf(executable: string): { version: string; schema: number } | null {
  const run = Bun.spawnSync([executable, "version"], { stdin: "ignore", stderr: "ignore", timeout: LONGEST_START_MS });
  const [, version, schema] = /^ringward (\S+) \([^)]*\), schema (\d+),/.exec(run.stdout.toString()) ?? [];
  return version === undefined ? null : { version, schema: Number(schema) };
}
