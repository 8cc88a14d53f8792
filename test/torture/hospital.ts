// The hospital under torture: one SIP line, one endpoint, one inbound webhook, and a few small windows days ahead.
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { BINARY, freePort } from "../support/binary.ts";
import { commandJson } from "../support/calls.ts";
import { audioPorts } from "../support/free-ports.ts";
import { speechLike } from "../support/sounds.ts";
import { sipHospital } from "../support/sip-hospital.ts";
import type { BadReceiver } from "./bad-receiver.ts";
import { Tortured } from "./tortured.ts";

export interface TorturedHospital {
  tortured: Tortured;
  port: number;
  apiKey: string;
  agentId: string;
  hookToken: string;
}

const LINES = 20;
/** Two for each call, and they cool down after it: with too few, calls fail before dialling. */
const AUDIO_PORTS = 600;
const CREDITS = "1000000";

/** What every run of it is told. No limit of a plan may stand between the load and what is tested. */
const SETTINGS = {
  RINGWARD_DATA__MIN_FREE_MB: "0",
  RINGWARD_IDEMPOTENCY__KEEP_HOURS: "720",
  RINGWARD_LOG__LEVEL: "warn",
  RINGWARD_RULES__ENFORCE: "false",
  RINGWARD_PLANS__BASE__INBOUND_DAILY_QUOTA: "unlimited",
  RINGWARD_TELEPHONY__SIP__ALLOW_LOCAL: "127.0.0.0/8",
  RINGWARD_WEBHOOKS__KEEP_DAYS: "0",
};

export async function makeHospital(options: {
  folder: string;
  dataDir: string;
  carrierPort: number;
  receiver: BadReceiver;
  /** The PostgreSQL that it is moved to, before anything is done to it. */
  databaseUrl: string | null;
  env: Record<string, string>;
}): Promise<TorturedHospital> {
  const { folder, dataDir, carrierPort, receiver, databaseUrl, env } = options;
  const hospital = await sipHospital();
  const line = await hospital.addLine({
    port: carrierPort,
    lines: LINES,
    callsPerSecond: 100,
    // Recorded, so that no speech has to be synthesised before a call.
    recorded: { greeting: speechLike(1, 1) },
  });
  const on = (...args: string[]) => commandJson<Record<string, string>>(hospital, ...args);
  const ports = audioPorts(AUDIO_PORTS);
  const binaryEnv = {
    ...hospital.env,
    ...receiver.env,
    ...SETTINGS,
    RINGWARD_TELEPHONY__SIP__RTP_PORT_FROM: String(ports.from),
    RINGWARD_TELEPHONY__SIP__RTP_PORT_TO: String(ports.to),
  };
  await run(hospital.dataDir, ["endpoints", "create", "--url", receiver.url], binaryEnv);
  await run(hospital.dataDir, ["credits", "grant", CREDITS], binaryEnv);
  // With unlimited ones the balance is not written at every call, and would show nothing.
  await run(hospital.dataDir, ["credits", "unlimited", "off"], binaryEnv);
  const { url = "" } = await on("hook", "regenerate");
  if (databaseUrl !== null) await run(hospital.dataDir, ["move", "--to", databaseUrl], binaryEnv);
  mkdirSync(dataDir, { recursive: true });
  cpSync(hospital.dataDir, dataDir, { recursive: true });
  const port = await freePort();
  const tortured = new Tortured({
    binary: BINARY,
    dataDir,
    port,
    env: { ...binaryEnv, ...(databaseUrl !== null && { RINGWARD_DATABASE__URL: databaseUrl }), ...env },
    logFile: join(folder, "appliance.log"),
  });
  return {
    tortured,
    port,
    apiKey: hospital.apiKey,
    agentId: line.agentId,
    hookToken: url.slice(url.lastIndexOf("/") + 1),
  };
}

async function run(dataDir: string, args: string[], env: Record<string, string>): Promise<void> {
  const child = Bun.spawn([BINARY, ...args, "--data", dataDir], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdout: "ignore",
    stderr: "pipe",
  });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${args.join(" ")}: ${said}`);
}
