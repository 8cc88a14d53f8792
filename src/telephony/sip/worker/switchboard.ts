// All calls of the worker: connects the user agent, the audio and the agents, and executes the orders of the main
// thread.
import type { Clock } from "../../../core/clock.ts";
import type { Ids } from "../../../core/ids.ts";
import type { Logger } from "../../../core/logger.ts";
import type { Codec } from "../../../audio/codec.ts";
import type { LineMessage } from "../../line-report.ts";
import type { Clip, CreateCallAgent } from "../../port.ts";
import { createTrunkRefusal } from "../../../trunks/trunk-addresses.ts";
import { createMediaEngine, type MediaEngine } from "../../rtp/engine.ts";
import type { FromWorker, ToWorker, WorkerOrder, WorkerSettings } from "../carrier/protocol.ts";
import { codecOrderFor } from "../call/codec-order.ts";
import type { InboundNews, UserAgent, UserAgentListener } from "../call/user-agent-port.ts";
import { createUserAgent } from "../call/user-agent.ts";
import { createArrivals, type Arrivals } from "./arrivals.ts";
import { startPhoneCall, type PhoneCall } from "./phone-call.ts";
import { numberOnTrunk, startConsultation } from "./consultation.ts";
import { createLegs, type Legs } from "./legs.ts";
import { createQuestions, type Questions } from "./questions.ts";
import type { TrunkSettings } from "../../../trunks/trunk-settings.ts";

export interface SwitchboardOptions {
  clock: Clock;
  logger: Logger;
  ids: Ids;
  settings: WorkerSettings;
  trunks: readonly TrunkSettings[];
  createCallAgent: CreateCallAgent;
  send: (message: FromWorker) => void;
}

export type Order = Exclude<ToWorker, { type: "start" | "stop" }>;

export interface Switchboard {
  readonly port: number;
  /** No call is active. */
  readonly isIdle: boolean;
  obey(order: Order): void;
  beat(): Extract<FromWorker, { type: "beat" }>;
  /** Answered calls may finish within this time; then the rest is hung up. */
  stop(drainMs: number): Promise<void>;
}

/** Time for peers to confirm the BYE, and for registrars to confirm the unregistration. */
const GOODBYE_MS = 2_000;
const TEMPORARILY_UNAVAILABLE = 480;

/** Rejects if the port is in use. */
export async function openSwitchboard(options: SwitchboardOptions): Promise<Switchboard> {
  const { clock, logger, settings, trunks, send } = options;
  const calls = new Map<string, PhoneCall>();
  const legs = createLegs();
  const arrivals = createArrivals(send);
  const engine = createMediaEngine({ logger, clock, bindAddress: settings.address, portRange: settings.rtpPorts });
  const userAgent = await createUserAgent({
    clock,
    logger,
    ids: options.ids,
    bind: { address: settings.address, port: settings.port },
    tls: settings.tls,
    externalAddress: settings.externalAddress,
    trunks,
    refusal: createTrunkRefusal(settings.allowLocal),
    makeMedia(callId) {
      const media = (calls.get(callId) ?? legs.get(callId))?.media;
      if (!media) throw new Error("The call has no audio ports.");
      return media;
    },
    listener: {
      ...listenerFor(calls, legs, arrivals, send),
      inbound: (callId, call) => switchboard.arrived(callId, call),
    },
  });
  const switchboard = new OpenSwitchboard({ options, calls, legs, arrivals, engine, userAgent });
  return switchboard;
}

/** Dispatches events to accepted calls, or to those still ringing. */
function listenerFor(
  calls: ReadonlyMap<string, PhoneCall>,
  legs: Legs,
  arrivals: Arrivals,
  send: SwitchboardOptions["send"],
): Omit<UserAgentListener, "inbound"> {
  return {
    ringing: (callId) => calls.get(callId)?.ringing(),
    answered: (callId) => (calls.get(callId) ?? legs.get(callId))?.answered(),
    dialogKept(callId, kept) {
      if (!legs.get(callId)) send({ type: "dialogKept", callId, kept });
    },
    keyPressed: (callId, key) => calls.get(callId)?.keyPressed("info", key),
    transferProgress: (callId, progress) => calls.get(callId)?.transferProgress(progress),
    ended(callId, ending) {
      const call = calls.get(callId);
      const leg = legs.get(callId);
      if (call) call.ended(ending);
      else if (leg) legs.ended(callId, ending);
      else arrivals.ended(callId, ending);
    },
    trunkState: (state) => send({ type: "trunkState", state }),
    trace(callId, message) {
      // The ladder of a call includes its second leg.
      const call = calls.get(legs.callOf(callId) ?? callId);
      if (call) call.traced(message);
      else arrivals.traced(callId, message);
    },
  };
}

interface Parts {
  options: SwitchboardOptions;
  calls: Map<string, PhoneCall>;
  legs: Legs;
  arrivals: Arrivals;
  engine: MediaEngine;
  userAgent: UserAgent;
}

class OpenSwitchboard implements Switchboard {
  readonly port: number;
  readonly #parts: Parts;
  readonly #clips = new Map<string, Int16Array>();
  readonly #questions: Questions;
  #trunks: readonly TrunkSettings[];
  #isStopping = false;
  #whenEmpty = () => {};

  constructor(parts: Parts) {
    this.#parts = parts;
    this.port = parts.userAgent.port;
    this.#questions = createQuestions(parts.options.send);
    this.#trunks = parts.options.trunks;
  }

  get isIdle(): boolean {
    return this.#parts.calls.size === 0;
  }

  obey(order: Order): void {
    const { calls, userAgent } = this.#parts;
    switch (order.type) {
      case "hold":
        void this.#hold(order);
        break;
      case "dial":
        this.#dial(order.order);
        break;
      case "accept":
        this.#accept(order.order);
        break;
      case "reject":
        userAgent.rejectInbound(order.callId, order.sipCode);
        break;
      case "hangUp":
        calls.get(order.callId)?.hangUp("hungUp");
        break;
      case "endLeft":
        userAgent.endLeft(order.dialogs);
        break;
      case "answer":
        this.#questions.answered(order.askId, order.answer);
        break;
      case "trunks":
        this.#trunks = order.trunks;
        userAgent.setTrunks(order.trunks);
        break;
      case "certificate":
        userAgent.renewCertificate(order.certificate);
        break;
      case "clip":
        this.#clips.set(order.key, order.samples);
        break;
      case "forgetClips":
        this.#clips.clear();
        break;
    }
  }

  /** An inbound call. */
  arrived(callId: string, call: InboundNews): void {
    const { options, arrivals, userAgent } = this.#parts;
    if (!this.#isStopping) arrivals.arrived(callId, call);
    // Deferred: the user agent is still processing this call.
    else options.clock.after(0, () => userAgent.rejectInbound(callId, TEMPORARILY_UNAVAILABLE));
  }

  beat(): Extract<FromWorker, { type: "beat" }> {
    const { calls, engine, userAgent } = this.#parts;
    return {
      type: "beat",
      lagP99Ms: engine.lagP99Ms(),
      calls: calls.size,
      counters: userAgent.counters(),
      trunkStates: userAgent.trunkStates(),
    };
  }

  async stop(drainMs: number): Promise<void> {
    const { calls, arrivals, engine, userAgent } = this.#parts;
    this.#isStopping = true;
    for (const callId of arrivals.ids()) userAgent.rejectInbound(callId, TEMPORARILY_UNAVAILABLE);
    // A call that still rings would be answered only to be hung up.
    for (const call of calls.values()) if (!call.isAnswered) call.hangUp("stopped");
    await this.#emptied(drainMs);
    for (const call of calls.values()) call.hangUp("stopped");
    await userAgent.stop(GOODBYE_MS);
    await this.#emptied(GOODBYE_MS);
    await engine.stop();
  }

  async #hold({ askId, calls }: Extract<Order, { type: "hold" }>): Promise<void> {
    const { options, engine } = this.#parts;
    options.send({ type: "held", askId, calls: await engine.hold(calls) });
  }

  #dial(order: WorkerOrder): void {
    const { options, userAgent } = this.#parts;
    const { callId, trunkId, from, to } = order;
    const { ringTimeoutMs } = options.settings;
    const invitation = { callId, trunkId, from, to, ringTimeoutMs, codecOrder: this.#codecOrder(order) };
    this.#begin(order, () => userAgent.invite(invitation));
  }

  #accept(order: WorkerOrder): void {
    const { arrivals, userAgent } = this.#parts;
    const messages = arrivals.take(order.callId);
    if (!messages) return;
    this.#begin(order, () => userAgent.answerInbound(order.callId, this.#codecOrder(order)), messages);
  }

  #begin(order: WorkerOrder, connect: () => void, messagesSoFar: readonly LineMessage[] = []): void {
    const { options, calls, legs, engine, userAgent } = this.#parts;
    const { clock, logger, settings, createCallAgent, send } = options;
    const { callId } = order;
    const address = userAgent.addressTowards(order.trunkId) ?? settings.address;
    const call = startPhoneCall({
      clock,
      logger,
      order,
      messagesSoFar,
      sipAt: { address, port: userAgent.port },
      engine,
      createCallAgent,
      agentNeeds: { clip: this.#clipsOf(order.clips), ask: this.#questions.of(callId) },
      longestCallMs: settings.longestCallMs,
      lostAudioMs: settings.lostAudioMs,
      userAgent,
      consult: (target, parts) => {
        const { trunkId, from } = order;
        const to = numberOnTrunk(
          target,
          this.#trunks.find(({ id }) => id === trunkId),
        );
        if (to === null) return null;
        const codecOrder = this.#codecOrder(order);
        return legs.add(callId, (legId, forget) =>
          startConsultation({ logger, engine, userAgent, legId, trunkId, from, to, codecOrder, forget, ...parts }),
        );
      },
      connect,
      send,
      over: () => {
        calls.delete(callId);
        if (calls.size === 0) this.#whenEmpty();
      },
    });
    calls.set(callId, call);
    if (this.#isStopping) call.hangUp("stopped");
  }

  /** A removed trunk finishes its calls; new orders on it fail by themselves. */
  #codecOrder({ trunkId, to }: WorkerOrder): readonly Codec[] {
    return codecOrderFor(this.#trunks.find(({ id }) => id === trunkId)?.codecs ?? [], to);
  }

  /** Looked up now: the clips may be dropped while this call lasts. */
  #clipsOf(wanted: readonly Clip[]): (name: string) => Int16Array | null {
    const found = new Map(wanted.map(({ name, key }) => [name, this.#clips.get(key) ?? null]));
    return (name) => found.get(name) ?? null;
  }

  #emptied(withinMs: number): Promise<void> {
    const { options, calls } = this.#parts;
    if (calls.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancelLimit = options.clock.after(withinMs, resolve);
      this.#whenEmpty = () => {
        cancelLimit();
        resolve();
      };
    });
  }
}
