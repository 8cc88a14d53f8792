// ringward doctor: checks every precondition of a start, and says how to fix each finding.
import type { Config } from "../config/schema.ts";
import { ConfigError } from "../config/load.ts";
import type { Command } from "./command.ts";
import { configOf, JSON_OPTION } from "./context.ts";
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
import { checkModelServers } from "./doctor-models.ts";
import { checkPacks } from "./doctor-packs.ts";
import { checkPostgres } from "./doctor-postgres.ts";
import { checkSpeech } from "./doctor-speech.ts";
import { checkVoice } from "./doctor-voice.ts";
import { checkTelephony } from "./doctor-telephony.ts";
import { print, printJson } from "./output.ts";
import { besideServer } from "./running-server.ts";

export const doctor: Command = {
  name: "doctor",
  summary:
    "Check settings, data folder, database, clock, ports and trunks, and say what to do. Exit code 1 when something fails.",
  options: {
    ...JSON_OPTION,
    database: { type: "boolean", help: "Look through the database alone." },
    quick: { type: "boolean", help: "Leave out how quick voice and ears are: some seconds of work." },
  },
  async run(args) {
    const load = () => besideServer(configOf(args));
    const findings = args.flag("database") ? [await checkDatabase(load())] : await examine(load, args.flag("quick"));
    if (args.flag("json")) printJson(findings);
    else for (const { state, check, message } of findings) print(`${state.padEnd(5)} ${check.padEnd(12)} ${message}`);
    return findings.some(({ state }) => state === "FAIL") ? 1 : 0;
  },
};

async function examine(load: () => Config, isQuick: boolean): Promise<Finding[]> {
  let config: Config;
  try {
    config = load();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [{ check: "settings", state: "FAIL", message: error.message }];
  }
  return [
    { check: "settings", state: "ok", message: "Every key is known and every value allowed." },
    await checkDataFolder(config),
    await checkDatabase(config),
    ...(await checkPostgres(config)),
    await checkRootKey(config),
    await checkClock(config),
    await checkPort(config),
    checkFileLimit(config),
    checkPublicAddress(config),
    checkProxy(config),
    checkMetrics(config),
    ...(await checkTelephony(config)),
    ...checkPacks(config),
    ...(isQuick ? [] : await measureSpeech(config)),
    ...(await checkModelServers(config)),
  ];
}

async function measureSpeech(config: Config): Promise<Finding[]> {
  return [...(await checkVoice(config)), ...(await checkSpeech(config))];
}
