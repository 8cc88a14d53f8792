// A hospital that calls over SIP: set up from the command line as an administrator would, then started on loopback.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { appliance } from "./appliance.ts";
import { startBinary, tempFolder, type Running, type StartOptions } from "./binary.ts";
import { command, commandJson, type Call } from "./calls.ts";
import { audioPorts, freeSipPort } from "./free-ports.ts";
import { pcmWav } from "./sounds.ts";
import { parseWav } from "../telephony/wav.ts";

export interface LineOptions {
  /** Where the other side of the trunk is. */
  port: number;
  host?: string;
  type?: "outbound" | "inbound";
  account?: { username: string; secret: string };
  /** Whether the account is registered; without it, it only signs calls. */
  register?: boolean;
  /** 0 never asks the trunk whether it is there. */
  optionsSeconds?: number;
  lines?: number;
  callsPerSecond?: number;
  transferTo?: string;
  /** Spoken as written where a model chooses one. */
  answers?: readonly { question: string; answer: string }[];
  /** The branch that its agent books for. */
  branchId?: string;
  language?: string;
  greeting?: string;
  /** Recorded words of the agent, by kind. */
  recorded?: Record<string, Int16Array>;
  /**
   * Whether its agent tells what it calls about without asking who answered; a line with recorded words does unless it
   * is told.
   */
  isOpen?: boolean;
  /** The trunk is behind a NAT: its audio may come from elsewhere than its SDP says. */
  symmetricRtp?: boolean;
  /** Over TLS, with a certificate of this authority, and so encrypted. */
  tls?: { caPem: string; srtp: string };
}

/** A trunk, an agent of its own and the number that the two share. */
export interface SipLine {
  trunkName: string;
  trunkId: string;
  agentId: string;
  number: string;
}

export interface SipHospital {
  dataDir: string;
  apiKey: string;
  sipPort: number;
  rtpPorts: { from: number; to: number };
  /** What every start of this hospital has in its environment. */
  env: Record<string, string>;
  addLine(options: LineOptions): Promise<SipLine>;
  /** `demo` holds the key, so that what asks a demo asks this hospital too. */
  start(env?: Record<string, string>, options?: StartOptions): Promise<Running>;
}

let linesMade = 0;

function fileHolding(content: string | Buffer): string {
  const file = join(tempFolder(), "file");
  writeFileSync(file, content);
  return file;
}

/** Settings of an appliance that speaks SIP on loopback. */
export function sipOnLoopback() {
  const sipPort = freeSipPort();
  const rtpPorts = audioPorts(60);
  const env = {
    RINGWARD_CALLS__DEFAULT_DELAY_SECONDS: "0",
    RINGWARD_PLANS__BASE__REQUESTS_PER_MINUTE: "unlimited",
    RINGWARD_PLANS__BASE__CONCURRENT_CALLS: "unlimited",
    RINGWARD_TELEPHONY__CARRIER: "sip",
    // These calls use keys only, so they need not wait for the recognisers.
    RINGWARD_SPEECH__RECOGNISERS: "0",
    RINGWARD_TELEPHONY__SIP__ADDRESS: "127.0.0.1",
    RINGWARD_TELEPHONY__SIP__PORT: String(sipPort),
    RINGWARD_TELEPHONY__SIP__RTP_PORT_FROM: String(rtpPorts.from),
    RINGWARD_TELEPHONY__SIP__RTP_PORT_TO: String(rtpPorts.to),
  };
  return { sipPort, rtpPorts, env };
}

export async function sipHospital(): Promise<SipHospital> {
  const dataDir = await appliance();
  const { key } = await commandJson<{ key: string }>(
    { dataDir },
    "keys",
    "create",
    "--name",
    "test",
    "--scopes",
    "all",
  );
  const { sipPort, rtpPorts, env } = sipOnLoopback();

  async function addLine(options: LineOptions): Promise<SipLine> {
    const { port, type = "outbound", account, optionsSeconds = 0, lines = 20, callsPerSecond = 100 } = options;
    const index = ++linesMade;
    const trunkName = `trunk-${index}`;
    const trunkCommand = [
      "trunks",
      "add",
      "--name",
      trunkName,
      "--host",
      options.host ?? "127.0.0.1",
      "--port",
      String(port),
    ];
    const pace = ["--calls-per-second", String(callsPerSecond), "--options-seconds", String(optionsSeconds)];
    const login = account ? ["--username", account.username, "--secret-file", fileHolding(account.secret)] : [];
    const { tls } = options;
    const secrecy = tls ? ["--transport", "tls", "--ca-file", fileHolding(tls.caPem), "--srtp", tls.srtp] : [];
    const trunk = await commandJson<{ trunk_id: string }>(
      { dataDir },
      ...trunkCommand,
      ...pace,
      ...login,
      ...(options.register === true ? ["--register", "yes"] : []),
      ...secrecy,
      ...(options.symmetricRtp === true ? ["--symmetric-rtp", "yes"] : []),
      "--lines",
      String(lines),
    );
    const { language = "en-IN", greeting = "This is the hospital." } = options;
    const speech = ["--language", language, "--greeting", greeting];
    const agentCommand = ["agents", "create", "--name", "Asha", "--type", type, ...speech, "--calling-hours", "off"];
    const transfer = options.transferTo === undefined ? [] : ["--transfer-to", options.transferTo];
    const answers = options.answers ? ["--answers-file", fileHolding(JSON.stringify(options.answers))] : [];
    const isOpen = options.isOpen ?? (options.recorded !== undefined && type === "outbound");
    const branch = options.branchId === undefined ? [] : ["--branch", options.branchId];
    const agent = await commandJson<{ agent_id: string }>(
      { dataDir },
      ...agentCommand,
      ...transfer,
      ...answers,
      ...branch,
      ...(isOpen ? ["--open-announcements", "yes"] : []),
    );
    for (const [kind, samples] of Object.entries(options.recorded ?? {})) {
      await command({ dataDir }, "words", "set", agent.agent_id, kind, fileHolding(pcmWav(samples)));
    }
    const number = `+9122${String(55_000_000 + index)}`;
    const numberOptions = ["--agent", agent.agent_id, "--trunk", trunkName, "--lines", String(lines)];
    await command({ dataDir }, "numbers", "add", "--number", number, ...numberOptions);
    return { trunkName, trunkId: trunk.trunk_id, agentId: agent.agent_id, number };
  }

  return {
    dataDir,
    apiKey: key,
    sipPort,
    rtpPorts,
    env,
    addLine,
    async start(more = {}, options = {}) {
      const server = await startBinary({ ...options, demo: false, dataDir, env: { ...env, ...more } });
      return { ...server, demo: { api_key: key } };
    },
  };
}

let peopleCalled = 0;

/** A number unique within the file. */
export const newPatient = () => `+91980000${String(1_000 + ++peopleCalled)}`;

/** Both legs of a finished call, as its recording has them. */
export async function recordingOf(server: Running, call: Call): Promise<{ agent: Int16Array; caller: Int16Array }> {
  if (call.call_recording === null) throw new Error(`The call has no recording: ${JSON.stringify(call)}`);
  const path = call.call_recording.slice(call.call_recording.indexOf("/media/"));
  const answer = await fetch(`${server.url}${path}`);
  if (!answer.ok) throw new Error(`The recording answered ${answer.status}.`);
  const [agent, caller] = parseWav(Buffer.from(await answer.arrayBuffer())).channels;
  return { agent, caller };
}
