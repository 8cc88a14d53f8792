// Environment of nightly-asterisk checks: Asterisk, a hospital with a line per type of connection, and its server.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder, type Running } from "../test/support/binary.ts";
import { command, commandJson } from "../test/support/calls.ts";
import { sipHospital, type SipHospital, type SipLine } from "../test/support/sip-hospital.ts";
import { pcmWav, speechLike } from "../test/support/sounds.ts";
import { until } from "../test/support/until.ts";
import { joined, registeredAccount } from "./asterisk-accounts.ts";
import type { AccountFiles } from "./asterisk-settings.ts";
import { startAsterisk, type Asterisk } from "./asterisk-peer.ts";
import { PEOPLE } from "./asterisk-settings.ts";
import type { NightlyCheck } from "./nightly-checks.ts";

export type Check = NightlyCheck<World>;

export interface World {
  asterisk: Asterisk;
  hospital: SipHospital;
  server: Running;
  lines: Record<Account, ConnectedLine>;
}

export interface ConnectedLine extends SipLine {
  account: string;
  /** The number of the inbound agent. */
  inboundNumber: string;
}

export const OUR_WORDS = speechLike(3, 31);
const RECORDED = {
  greeting: OUR_WORDS,
  menu: speechLike(1, 32),
  confirmed: speechLike(0.6, 33),
  goodbye: speechLike(0.6, 34),
  transfer: speechLike(0.6, 35),
};
const SECRET = "s3cret";
export const RING_SECONDS = 8;

interface AccountSettings {
  account: string;
  transport: "udp" | "tcp" | "tls";
  /** Endpoint lines that extend or override the ready ones. */
  more: readonly string[];
  /** Asterisk qualifies us with OPTIONS. */
  isAsked?: boolean;
  srtp?: "preferred" | "required";
  /** Codecs of the trunk, instead of its default. */
  codecs?: string;
}

export type Account = "udp" | "tcp" | "tls" | "passing" | "reliable" | "info" | "inband" | "direct" | "clear";

/**
 * The first three follow the handbook: the ready settings, plus encryption with TLS. The others differ in one setting.
 */
const ACCOUNTS: Record<Account, AccountSettings> = {
  udp: { account: "2001", transport: "udp", more: [] },
  tcp: { account: "2002", transport: "tcp", more: [] },
  tls: { account: "2003", transport: "tls", more: ["media_encryption=sdes"], srtp: "required" },
  passing: { account: "2004", transport: "udp", more: ["moh_passthrough=yes"] },
  reliable: { account: "2005", transport: "udp", more: ["100rel=required"] },
  info: { account: "2006", transport: "udp", more: ["dtmf_mode=info"], isAsked: true },
  inband: { account: "2007", transport: "udp", more: ["dtmf_mode=inband"] },
  // Without a common codec audio goes through Asterisk, and the desks have no G.722.
  direct: { account: "2008", transport: "udp", more: ["direct_media=yes"], codecs: "PCMA" },
  clear: { account: "2009", transport: "tls", more: [], isAsked: true, srtp: "preferred" },
};
const NAMES = Object.keys(ACCOUNTS) as Account[];

export async function createWorld(folder: string): Promise<World> {
  const asterisk = await startAsterisk({
    folder,
    accounts: joined(NAMES.map(atAsterisk)),
  });
  try {
    return await withHospital(asterisk);
  } catch (error) {
    await asterisk.stop();
    throw error;
  }
}

async function withHospital(asterisk: Asterisk): Promise<World> {
  const hospital = await sipHospital();
  const lines = {} as Record<Account, ConnectedLine>;
  for (const name of NAMES) lines[name] = await connect(hospital, asterisk, name);
  const server = await hospital.start(SETTINGS);
  const world = { asterisk, hospital, server, lines };
  await untilRegistered(world);
  return world;
}

function atAsterisk(name: Account): AccountFiles {
  const { account, more, isAsked = false } = ACCOUNTS[name];
  const { pjsip, extensions } = registeredAccount(account, SECRET, more);
  return { pjsip: isAsked ? pjsip.replace("type=aor", "type=aor\nqualify_frequency=5") : pjsip, extensions };
}

export const SETTINGS = { RINGWARD_TELEPHONY__SIP__RING_TIMEOUT_SECONDS: String(RING_SECONDS) };

async function connect(hospital: SipHospital, asterisk: Asterisk, name: Account): Promise<ConnectedLine> {
  const { account, transport, srtp = "preferred", codecs } = ACCOUNTS[name];
  const { sip, tls } = asterisk.ports;
  const line = await hospital.addLine({
    port: transport === "tls" ? tls : sip,
    account: { username: account, secret: SECRET },
    register: true,
    optionsSeconds: 30,
    transferTo: PEOPLE.desk2,
    recorded: RECORDED,
    ...(transport === "tls" && { tls: { caPem: asterisk.caPem, srtp } }),
  });
  if (transport === "tcp") await command(hospital, "trunks", "change", line.trunkName, "--transport", "tcp");
  if (codecs !== undefined) await command(hospital, "trunks", "change", line.trunkName, "--codecs", codecs);
  const { agent_id } = await commandJson<{ agent_id: string }>(
    hospital,
    "agents",
    "create",
    "--name",
    "Desk",
    "--type",
    "inbound",
    "--greeting",
    "Hello, this is the hospital.",
  );
  await command(hospital, "words", "set", agent_id, "greeting", fileHolding(pcmWav(OUR_WORDS)));
  const inboundNumber = `+91226600${account}`;
  await command(hospital, "numbers", "add", "--number", inboundNumber, "--agent", agent_id, "--trunk", line.trunkName);
  return { ...line, account, inboundNumber };
}

export function fileHolding(content: string | Buffer): string {
  const file = join(tempFolder(), "file");
  writeFileSync(file, content);
  return file;
}

/** Accounts with a contact at Asterisk. */
export function registeredAtAsterisk({ asterisk }: Pick<World, "asterisk">): string[] {
  return [...asterisk.tell("pjsip show contacts").matchAll(/Contact: +(\d+)\/sip/g)].map(([, account = ""]) => account);
}

export async function untilRegistered(
  world: World,
  withinMs = 30_000,
  names: readonly Account[] = NAMES,
): Promise<void> {
  const accounts = names.map((name) => ACCOUNTS[name].account);
  await until(() => accounts.every((account) => registeredAtAsterisk(world).includes(account)), {
    withinMs,
    everyMs: 500,
    what: () =>
      `registered are only ${registeredAtAsterisk(world).join(", ")}\n${world.asterisk.tell("pjsip show contacts")}`,
  });
}

/** Waits until no call leg is left at Asterisk. */
export async function untilQuiet({ asterisk }: World, withinMs = 10_000): Promise<void> {
  await until(() => asterisk.channels().length === 0, {
    withinMs,
    everyMs: 250,
    what: () => `legs are left:\n${asterisk.channels().join("\n")}`,
  });
}
