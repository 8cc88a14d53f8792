// Trial of a configured trunk: registers, sends OPTIONS, and makes a silent call on request. It only collects facts;
// trial-words.ts interprets them.
import type { Clock } from "../../core/clock.ts";
import type { Ids } from "../../core/ids.ts";
import { silentLogger } from "../../core/logger.ts";
import { createMediaEngine } from "../rtp/engine.ts";
import type { AudioStream } from "../rtp/audio-stream.ts";
import { codecOrderFor } from "../sip/call/codec-order.ts";
import { fromUserOf } from "../sip/trunk/caller-identity.ts";
import { bracketed } from "../sip/message/uri.ts";
import type { CallEnding, UserAgent } from "../sip/call/user-agent-port.ts";
import { createUserAgent } from "../sip/call/user-agent.ts";
import type { TrunkRefusal } from "../../trunks/trunk-addresses.ts";
import type { TrunkSettings, TrunkState } from "../../trunks/trunk-settings.ts";

export interface TrialOptions {
  clock: Clock;
  ids: Ids;
  trunk: TrunkSettings;
  /** State of a running server that holds the account's registration; a second registration could replace it. */
  serverState: { isRegistered: boolean; lastError: string | null } | null;
  bind: { address: string; port: number };
  externalAddress: string | null;
  rtpPorts: { from: number; to: number };
  refusal: TrunkRefusal;
  /** E.164. Null: no call. */
  call: { from: string; to: string } | null;
  ringTimeoutMs: number;
  /** How long an answered call listens. */
  listenMs?: number;
}

export interface TrialFacts {
  /** `192.0.2.1:5060`; null if the name does not resolve. */
  address: string | null;
  /** Our address as the exchange sees it, if known. */
  ourAddress: string | null;
  registration:
    | { kind: "not_wanted" }
    | { kind: "registered"; by: "us" | "server" }
    | { kind: "failed"; by: "us" | "server"; problem: string | null };
  options: { kind: "answered"; roundTripMs: number } | { kind: "silent"; problem: string | null };
  call:
    | { kind: "not_wanted" }
    | { kind: "not_tried" }
    | { kind: "ended"; ending: CallEnding; hasRung: boolean; wasAnswered: boolean; heardPackets: number };
}

const TRIAL = "trial";
/** Longer than one response takes after a lost packet (RFC 3261: retransmitted after 0.5, 1.5 and 3.5 s). */
const PATIENCE_MS = 6_000;
const LOOK_EVERY_MS = 50;
const LISTEN_MS = 3_000;
const GOODBYE_MS = 2_000;
const TEMPORARILY_UNAVAILABLE = 480;

export async function tryTrunk(options: TrialOptions): Promise<TrialFacts> {
  const { clock, trunk, serverState, bind } = options;
  const { agent, engine, onCall } = await open(options);
  const stateNow = (): TrunkState | undefined => agent.trunkStates()[0];

  function until(isDone: () => boolean, withinMs: number): Promise<void> {
    const endMs = clock.now() + withinMs;
    return new Promise((resolve) => {
      const look = () => {
        if (isDone() || clock.now() >= endMs) resolve();
        else clock.after(LOOK_EVERY_MS, look);
      };
      look();
    });
  }

  async function registration(): Promise<TrialFacts["registration"]> {
    if (!trunk.register) return { kind: "not_wanted" };
    if (serverState) {
      return serverState.isRegistered
        ? { kind: "registered", by: "server" }
        : { kind: "failed", by: "server", problem: serverState.lastError };
    }
    await until(() => stateNow()?.isRegistered === true || (stateNow()?.lastError ?? null) !== null, PATIENCE_MS);
    return stateNow()?.isRegistered === true
      ? { kind: "registered", by: "us" }
      : { kind: "failed", by: "us", problem: stateNow()?.lastError ?? null };
  }

  async function asked(): Promise<TrialFacts["options"]> {
    await until(() => stateNow()?.roundTripMs !== null, PATIENCE_MS);
    const { roundTripMs = null, lastError = null } = stateNow() ?? {};
    return roundTripMs === null ? { kind: "silent", problem: lastError } : { kind: "answered", roundTripMs };
  }

  try {
    await until(() => (stateNow()?.address ?? stateNow()?.lastError ?? null) !== null, PATIENCE_MS);
    const registered = await registration();
    const answered = await asked();
    const isReady = registered.kind !== "failed" && stateNow()?.address !== null;
    const call: TrialFacts["call"] =
      options.call === null ? { kind: "not_wanted" } : isReady ? await onCall(options.call) : { kind: "not_tried" };
    const address = agent.addressTowards(trunk.id) ?? bind.address;
    return {
      address: stateNow()?.address ?? null,
      ourAddress: /^[0.:]+$/.test(address) ? null : `${bracketed(address)}:${agent.port}`,
      registration: registered,
      options: answered,
      call,
    };
  } finally {
    await agent.stop(GOODBYE_MS);
    await engine.stop();
  }
}

async function open(options: TrialOptions) {
  const { clock, ids, trunk, serverState, bind, externalAddress, rtpPorts, refusal, ringTimeoutMs } = options;
  const engine = createMediaEngine({ logger: silentLogger, clock, bindAddress: bind.address, portRange: rtpPorts });
  let media: AudioStream | null = null;
  let hasRung = false;
  let wasAnswered = false;
  let ended: (ending: CallEnding) => void = () => {};

  const settings = {
    ...trunk,
    // Calls as if registered, while the registration stays with the server.
    ...(serverState ? { register: false, fromUser: fromUserOf(trunk) ?? "number" } : {}),
    optionsEverySeconds: trunk.optionsEverySeconds || 30,
  };
  const start = (port: number): Promise<UserAgent> =>
    createUserAgent({
      clock,
      ids,
      logger: silentLogger,
      bind: { ...bind, port },
      externalAddress,
      trunks: [settings],
      refusal,
      makeMedia() {
        if (!media) throw new Error("The trial has no audio ports.");
        return media;
      },
      listener: {
        ringing: () => (hasRung = true),
        answered() {
          wasAnswered = true;
          media?.answered();
          clock.after(options.listenMs ?? LISTEN_MS, () => agent.hangUp(TRIAL));
        },
        ended: (_, ending) => ended(ending),
        transferProgress() {},
        // Inbound calls are rejected during the trial.
        inbound: (callId) => clock.after(0, () => agent.rejectInbound(callId, TEMPORARILY_UNAVAILABLE)),
        trunkState() {},
        trace() {},
      },
    });
  // Prefers the configured port, which firewalls allow; falls back to any port if it is in use.
  const agent = await start(bind.port).catch(() => start(0));

  async function onCall({ from, to }: { from: string; to: string }): Promise<TrialFacts["call"]> {
    const stream = await engine.open(TRIAL, { recordingFile: null });
    media = stream;
    const ending = await new Promise<CallEnding>((resolve) => {
      ended = resolve;
      const codecOrder = codecOrderFor(trunk.codecs, to);
      agent.invite({ callId: TRIAL, trunkId: trunk.id, from, to, ringTimeoutMs, codecOrder });
    });
    const heardPackets = stream.stats().receivedPackets;
    return { kind: "ended", ending, hasRung, wasAnswered, heardPackets };
  }

  return { agent, engine, onCall };
}
