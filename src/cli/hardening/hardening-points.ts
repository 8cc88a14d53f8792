// The list of `ringward doctor --security`: every hardening point, whether it is met, and what to do if it is open.
import { readFileSync, statSync } from "node:fs";
import { accountFacts } from "../../accounts/hardening-store.ts";
import type { Config } from "../../config/schema.ts";
import { systemClock } from "../../core/clock.ts";
import type { Executor } from "../../db/tables.ts";
import { enabledEndpoints } from "../../events/endpoint-store.ts";
import { isLoopbackHost } from "../../net/host-name.ts";
import { trunkProtections } from "../../trunks/trunk-facts-store.ts";
import { askedOf } from "../database-look.ts";
import { checkAudit } from "../doctor-audit.ts";
import { checkMetrics, type Finding } from "../doctor-checks.ts";
import { checkClock } from "../doctor-clock.ts";
import { checkDirectories } from "../doctor-directories.ts";
import { checkFolders } from "../doctor-folders.ts";
import { runningServerPid } from "../running-server.ts";
import * as appliance from "./appliance-points.ts";
import * as data from "./data-points.ts";
import * as network from "./network-points.ts";
import * as people from "./people-points.ts";
import { notApplicable, openIfAny, pointOf, type Grounds, type Point, type StoredFacts } from "./point.ts";
import * as running from "./process-points.ts";

type Examine = (grounds: Grounds) => Point | Promise<Point>;

/** In the order of the handbook (security-and-privacy.md, Hardening). */
export const POINTS: Readonly<Record<string, Examine>> = {
  "encryption at rest": data.encryption,
  "key file": data.keyFile,
  "files of secrets": data.filesOfSecrets,
  "data folder": data.dataFolder,
  "settings file": data.settingsFile,
  "drop folder": ({ config }) => together(checkFolders(config), "No drop folder is used."),
  tls: network.tls,
  certificates: network.certificates,
  listening: network.listening,
  "database connection": network.databaseConnection,
  metrics: ({ config }) => pointOf(checkMetrics(config)),
  "webhook endpoints": network.webhookEndpoints,
  trunks: network.trunks,
  "second factor": people.secondFactor,
  "emergency account": people.emergencyAccount,
  "idle accounts": people.idleAccounts,
  "api keys": people.apiKeys,
  directories: async ({ config }) => together(await checkDirectories(config), "No directory is used."),
  "audit trail": async ({ config }) => pointOf(await checkAudit(config)),
  "audit limits": appliance.auditLimits,
  "syslog stream": network.syslogStream,
  alarms: appliance.alarms,
  backups: data.backups,
  "restore drill": data.restoreDrill,
  retention: data.retention,
  recordings: data.recordings,
  "legal rules": appliance.legalRules,
  demo: appliance.demo,
  clock: async ({ config }) => pointOf(await checkClock(config)),
  "not root": running.notRoot,
  sandbox: running.sandbox,
  swap: running.swap,
  "core dumps": running.coreDumps,
};

export interface NamedPoint extends Point {
  check: string;
}

export async function examineHardening(config: Config, configFile: string | null): Promise<NamedPoint[]> {
  const now = systemClock.now();
  const grounds: Grounds = {
    config,
    configFile,
    now,
    serverPid: runningServerPid(config),
    stored: await askedOf(config, (reader) => storedFacts(reader, now)),
    statOf,
    textOf,
  };
  const points: NamedPoint[] = [];
  for (const [check, examine] of Object.entries(POINTS)) points.push({ check, ...(await examine(grounds)) });
  return points;
}

/** Read through a database that may belong to a running server. */
export async function storedFacts(reader: Executor, now: number): Promise<StoredFacts> {
  const endpoints = await enabledEndpoints(reader);
  return {
    ...(await accountFacts(reader, now, now - people.IDLE_AFTER_MS)),
    plainEndpoints: endpoints.filter(({ url }) => isPlain(url)).map(({ id }) => id),
    alarmEndpoints: endpoints.filter(({ event_types }) => event_types.includes("appliance.alarm")).length,
    trunks: await trunkProtections(reader),
  };
}

function isPlain(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return ["http:", "mllp:"].includes(protocol) && !isLoopbackHost(hostname);
}

function together(findings: readonly Finding[], none: string): Point {
  if (findings.length === 0) return notApplicable(none);
  const faults = findings.filter(({ state }) => state !== "ok").map(({ message }) => message);
  return openIfAny(faults, findings.map(({ message }) => message).join(" "));
}

function statOf(path: string): { mode: number; uid: number } | null {
  try {
    const { mode, uid } = statSync(path);
    return { mode: mode & 0o777, uid };
  } catch {
    return null;
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
