// A real user agent on loopback whose listener logs everything.
import { afterEach } from "bun:test";
import { systemClock, type Clock } from "../../../../src/core/clock.ts";
import { createIds } from "../../../../src/core/ids.ts";
import { silentLogger } from "../../../../src/core/logger.ts";
import type { KeptDialog } from "../../../../src/telephony/sip/call/dialog.ts";
import type { LineMessage } from "../../../../src/telephony/line-report.ts";
import { createTrunkRefusal } from "../../../../src/trunks/trunk-addresses.ts";
import { createUserAgent, type UserAgentOptions } from "../../../../src/telephony/sip/call/user-agent.ts";
import type {
  CallEnding,
  InboundNews,
  InviteOrder,
  MediaPort,
  TransferProgress,
  UserAgent,
} from "../../../../src/telephony/sip/call/user-agent-port.ts";
import { freeSipPort } from "../../../support/free-ports.ts";
import { until } from "../../../support/until.ts";
import type { TrunkSettings, TrunkState } from "../../../../src/trunks/trunk-settings.ts";

type Negotiated = Parameters<MediaPort["negotiated"]>[0];

export interface AgentUnderTest {
  agent: UserAgent;
  /** `call_1 ringing`, `call_1 ringing early`, `call_1 answered`, `call_1 key 5`, `call_1 ended peer null`. */
  events: string[];
  endings: Map<string, CallEnding>;
  inbound: ({ callId: string } & InboundNews)[];
  transfers: TransferProgress[];
  trunkStates: TrunkState[];
  ladder: LineMessage[];
  dialogs: KeptDialog[];
  /** What the media was told, in order. */
  negotiated: Negotiated[];
  invite(overrides?: Partial<InviteOrder>): void;
  /** Waits until this event was written. */
  heard(event: string): Promise<void>;
  ended(callId?: string): Promise<CallEnding>;
}

const open: UserAgent[] = [];

/**
 * For the top of a test file: Bun evaluates this one once for a whole run, and a hook here would serve the first file
 * alone.
 */
export function stopAgentsAfterEach(): void {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((agent) => agent.stop(100)));
  });
}

export function trunkAt(port: number, overrides: Partial<TrunkSettings> = {}): TrunkSettings {
  return {
    id: "main",
    host: "127.0.0.1",
    port,
    transport: "udp",
    caPem: null,
    username: null,
    secret: null,
    register: false,
    fromDomain: null,
    fromUser: null,
    identityHeader: "auto",
    callerId: null,
    numberFormat: "e164",
    dialPrefix: "",
    dialledNames: [],
    lines: 10,
    optionsEverySeconds: 0,
    callsPerSecond: 50,
    allowedPrefixes: [],
    numbers: [],
    symmetricRtp: false,
    srtp: "off",
    codecs: [],
    ...overrides,
  };
}

export async function startAgent(
  trunks: TrunkSettings[],
  overrides: Partial<UserAgentOptions> = {},
): Promise<AgentUnderTest> {
  const clock: Clock = overrides.clock ?? systemClock;
  const events: string[] = [];
  const endings = new Map<string, CallEnding>();
  const log: Omit<AgentUnderTest, "agent" | "invite" | "heard" | "ended"> = {
    events,
    endings,
    inbound: [],
    transfers: [],
    trunkStates: [],
    ladder: [],
    dialogs: [],
    negotiated: [],
  };
  const agent = await createUserAgent({
    clock,
    logger: silentLogger,
    ids: createIds(clock),
    bind: { address: "127.0.0.1", port: freeSipPort() },
    externalAddress: null,
    trunks,
    refusal: createTrunkRefusal(["127.0.0.0/8", "::1"]),
    makeMedia: () => ({
      localAddress: "127.0.0.1",
      localPort: 40_000,
      negotiated: (remote) => log.negotiated.push(remote),
    }),
    listener: {
      trying: (callId) => events.push(`${callId} trying`),
      ringing: (callId, { earlyMedia }) => events.push(`${callId} ringing${earlyMedia ? " early" : ""}`),
      answered: (callId) => events.push(`${callId} answered`),
      keyPressed: (callId, key) => events.push(`${callId} key ${key}`),
      ended(callId, ending) {
        endings.set(callId, ending);
        events.push(`${callId} ended ${ending.by} ${ending.outcome}`);
      },
      dialogKept: (_, kept) => log.dialogs.push(kept),
      transferProgress: (_, progress) => log.transfers.push(progress),
      inbound: (callId, call) => log.inbound.push({ callId, ...call }),
      trunkState: (state) => log.trunkStates.push(state),
      trace: (_, entry) => log.ladder.push(entry),
    },
    ...overrides,
  });
  open.push(agent);
  await until(() => agent.trunkStates().every(({ address, lastError }) => (address ?? lastError) !== null));
  return {
    ...log,
    agent,
    invite: (order = {}) => {
      agent.invite({
        callId: "call_1",
        trunkId: "main",
        from: "+911140000000",
        to: "+919800000001",
        ringTimeoutMs: 60_000,
        codecOrder: ["PCMA", "PCMU"],
        ...order,
      });
    },
    heard: (event) => until(() => events.includes(event), { what: () => `no "${event}" in ${JSON.stringify(events)}` }),
    async ended(callId = "call_1") {
      // A lost message is sent again for up to 32 s before its transaction gives up.
      await until(() => endings.has(callId), { withinMs: 90_000, what: () => `no end in ${JSON.stringify(events)}` });
      return endings.get(callId)!;
    },
  };
}

export const isAnswerTo = (method: string, text: string) =>
  text.startsWith("SIP/2.0 200") && new RegExp(`^CSeq: *\\d+ ${method}`, "im").test(text);

/** Every timer this many times faster, for what takes minutes by the RFC. */
export function fasterClock(times: number): Clock {
  return { ...systemClock, after: (delayMs, callback) => systemClock.after(delayMs / times, callback) };
}
