// ringward doctor: checks every precondition of a start, and says how to fix each finding.
import type { Config } from "../config/schema.ts";
import { ConfigError } from "../config/load.ts";
import type { Arguments, Command } from "./command.ts";
import { configOf, JSON_OPTION } from "./context.ts";
import { checkAudit } from "./doctor-audit.ts";
import {
  checkDatabase,
  checkDataFolder,
  checkFileLimit,
  checkMetrics,
  checkPort,
  checkProxy,
  checkPublicAddress,
  checkRootKey,
  type Finding,
} from "./doctor-checks.ts";
import { checkClock } from "./doctor-clock.ts";
import { checkDirectories } from "./doctor-directories.ts";
import { checkEncryption } from "./doctor-encryption.ts";
import { checkFolders } from "./doctor-folders.ts";
import { checkModelServers } from "./doctor-models.ts";
import { checkPacks } from "./doctor-packs.ts";
import { checkPostgres } from "./doctor-postgres.ts";
import { checkProofs } from "./doctor-proofs.ts";
import { checkSpeech } from "./doctor-speech.ts";
import { checkVoice } from "./doctor-voice.ts";
import { checkTelephony } from "./doctor-telephony.ts";
import { examineHardening, type NamedPoint } from "./hardening/hardening-points.ts";
import { print, printJson } from "./output.ts";
import { besideServer } from "./running-server.ts";

export const doctor: Command = {
  name: "doctor",
  summary:
    "Check settings, data folder, database, proofs, audit trail, clock, ports and trunks, and suggest fixes. Exit code 1 if a check fails.",
  options: {
    ...JSON_OPTION,
    database: { type: "boolean", help: "Check only the database." },
    security: {
      type: "boolean",
      help: "Walk the list of hardening points instead: ok, open (exit code 1) or n/a. No secrets, names or numbers.",
    },
    quick: { type: "boolean", help: "Skip the speed test of voice and recogniser, which takes some seconds." },
  },
  async run(args) {
    const findings = args.flag("database") ? [await checkDatabase(loaded(args))] : await examine(args);
    const width = Math.max(12, ...findings.map(({ check }) => check.length));
    if (args.flag("json")) printJson(findings);
    else
      for (const { state, check, message } of findings) print(`${state.padEnd(5)} ${check.padEnd(width)} ${message}`);
    return findings.some(({ state }) => state === "FAIL" || state === "open") ? 1 : 0;
  },
};

const loaded = (args: Arguments): Config => besideServer(configOf(args));

async function examine(args: Arguments): Promise<(Finding | NamedPoint)[]> {
  let config: Config;
  try {
    config = loaded(args);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [{ check: "settings", state: "FAIL", message: error.message }];
  }
  if (args.flag("security")) return examineHardening(config, args.text("config") ?? null);
  return examineAll(config, args.flag("quick"));
}

async function examineAll(config: Config, isQuick: boolean): Promise<Finding[]> {
  return [
    { check: "settings", state: "ok", message: "Every key is known and every value allowed." },
    await checkDataFolder(config),
    await checkDatabase(config),
    ...(await checkPostgres(config)),
    await checkRootKey(config),
    await checkEncryption(config),
    await checkProofs(config),
    await checkAudit(config),
    await checkClock(config),
    await checkPort(config),
    checkFileLimit(config),
    checkPublicAddress(config),
    checkProxy(config),
    checkMetrics(config),
    ...checkFolders(config),
    ...(await checkTelephony(config)),
    ...checkPacks(config),
    ...(isQuick ? [] : await measureSpeech(config)),
    ...(await checkModelServers(config)),
    ...(await checkDirectories(config)),
  ];
}

async function measureSpeech(config: Config): Promise<Finding[]> {
  return [...(await checkVoice(config)), ...(await checkSpeech(config))];
}
