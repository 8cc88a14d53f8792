// All calls of the worker: joins the user agent, the audio and the talkers, and does what the main thread orders.
import type { Clock } from "../../../core/clock.ts";
import type { Ids } from "../../../core/ids.ts";
import type { Logger } from "../../../core/logger.ts";
import type { Codec } from "../../../audio/codec.ts";
import type { LineMessage } from "../../line-report.ts";
import type { Clip, CreateTalker } from "../../port.ts";
import { createTrunkRefusal } from "../../../trunks/trunk-addresses.ts";
import { createMediaEngine } from "../rtp/engine.ts";
import type { FromWorker, ToWorker, WorkerOrder, WorkerSettings } from "../protocol.ts";
import { codecOrderFor } from "../call/codec-order.ts";
import type { UserAgentListener } from "../call/user-agent-port.ts";
import { createUserAgent } from "../call/user-agent.ts";
import { createArrivals } from "./arrivals.ts";
import { startPhoneCall, type PhoneCall } from "./phone-call.ts";
import { createQuestions } from "./questions.ts";
import type { TrunkSettings } from "../../../trunks/trunk-settings.ts";

export interface SwitchboardOptions {
  clock: Clock;
  logger: Logger;
  ids: Ids;
  settings: WorkerSettings;
  trunks: readonly TrunkSettings[];
  createTalker: CreateTalker;
  send: (message: FromWorker) => void;
}

export type Order = Exclude<ToWorker, { type: "start" | "stop" }>;

export interface Switchboard {
  readonly port: number;
  obey(order: Order): void;
  beat(): Extract<FromWorker, { type: "beat" }>;
  /** Answered calls may end by themselves for so long; then the rest is hung up. */
  stop(drainMs: number): Promise<void>;
}

/** For the peers to confirm that it is over, and for registrars to let go of us. */
const GOODBYE_MS = 2_000;
const TEMPORARILY_UNAVAILABLE = 480;

/** Rejects where the port is taken. */
export async function openSwitchboard(options: SwitchboardOptions): Promise<Switchboard> {
  const { clock, logger, settings, send } = options;
  const calls = new Map<string, PhoneCall>();
  const clips = new Map<string, Int16Array>();
  const questions = createQuestions(send);
  const engine = createMediaEngine({ logger, clock, bindAddress: settings.address, portRange: settings.rtpPorts });
  const arrivals = createArrivals(send);
  let { trunks } = options;
  let isStopping = false;
  let whenEmpty = () => {};

  const listener: UserAgentListener = {
    ringing: (callId) => calls.get(callId)?.ringing(),
    answered: (callId) => calls.get(callId)?.answered(),
    dialogKept: (callId, kept) => send({ type: "dialogKept", callId, kept }),
    keyPressed: (callId, key) => calls.get(callId)?.keyPressed("info", key),
    transferProgress: (callId, progress) => calls.get(callId)?.transferProgress(progress),
    ended(callId, ending) {
      const call = calls.get(callId);
      if (call) call.ended(ending);
      else arrivals.ended(callId, ending);
    },
    inbound(callId, call) {
      // A moment later: the user agent is still busy with this very call.
      if (isStopping) clock.after(0, () => userAgent.rejectInbound(callId, TEMPORARILY_UNAVAILABLE));
      else arrivals.arrived(callId, call);
    },
    trunkState: (state) => send({ type: "trunkState", state }),
    trace(callId, message) {
      const call = calls.get(callId);
      if (call) call.traced(message);
      else arrivals.traced(callId, message);
    },
  };

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
      const media = calls.get(callId)?.media;
      if (!media) throw new Error("The call has no audio ports.");
      return media;
    },
    listener,
  });
  function begin(order: WorkerOrder, connect: () => void, messagesSoFar: readonly LineMessage[] = []): void {
    const { callId } = order;
    const address = userAgent.addressTowards(order.trunkId) ?? settings.address;
    const call = startPhoneCall({
      clock,
      logger,
      order,
      messagesSoFar,
      sipAt: { address, port: userAgent.port },
      engine,
      createTalker: options.createTalker,
      talkersNeeds: { clip: clipsOf(order.clips), ask: questions.of(callId) },
      longestCallMs: settings.longestCallMs,
      lostAudioMs: settings.lostAudioMs,
      userAgent,
      connect,
      send,
      over() {
        calls.delete(callId);
        if (calls.size === 0) whenEmpty();
      },
    });
    calls.set(callId, call);
    if (isStopping) call.hangUp("stopped");
  }

  /** A trunk that is gone finishes its calls; what is asked of it now fails by itself. */
  function codecOrder({ trunkId, to }: WorkerOrder): readonly Codec[] {
    return codecOrderFor(trunks.find(({ id }) => id === trunkId)?.codecs ?? [], to);
  }

  /** Looked up now: they may be forgotten for later calls while this one lasts. */
  function clipsOf(wanted: readonly Clip[]): (name: string) => Int16Array | null {
    const found = new Map(wanted.map(({ name, key }) => [name, clips.get(key) ?? null]));
    return (name) => found.get(name) ?? null;
  }

  function dial(order: WorkerOrder): void {
    const { callId, trunkId, from, to } = order;
    const { ringTimeoutMs } = settings;
    const invitation = { callId, trunkId, from, to, ringTimeoutMs, codecOrder: codecOrder(order) };
    begin(order, () => userAgent.invite(invitation));
  }

  function accept(order: WorkerOrder): void {
    const messages = arrivals.take(order.callId);
    if (!messages) return;
    begin(order, () => userAgent.answerInbound(order.callId, codecOrder(order)), messages);
  }

  function obey(order: Order): void {
    switch (order.type) {
      case "dial":
        dial(order.order);
        break;
      case "accept":
        accept(order.order);
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
        questions.answered(order.askId, order.answer);
        break;
      case "trunks":
        trunks = order.trunks;
        userAgent.setTrunks(trunks);
        break;
      case "clip":
        clips.set(order.key, order.samples);
        break;
      case "forgetClips":
        clips.clear();
        break;
    }
  }

  function emptied(withinMs: number): Promise<void> {
    if (calls.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancelLimit = clock.after(withinMs, resolve);
      whenEmpty = () => {
        cancelLimit();
        resolve();
      };
    });
  }

  return {
    port: userAgent.port,
    obey,
    beat: () => ({
      type: "beat",
      lagP99Ms: engine.lagP99Ms(),
      calls: calls.size,
      counters: userAgent.counters(),
      trunkStates: userAgent.trunkStates(),
    }),
    async stop(drainMs) {
      isStopping = true;
      for (const callId of arrivals.ids()) userAgent.rejectInbound(callId, TEMPORARILY_UNAVAILABLE);
      // A phone that still rings would be answered only to be hung up on.
      for (const call of calls.values()) if (!call.isAnswered) call.hangUp("stopped");
      await emptied(drainMs);
      for (const call of calls.values()) call.hangUp("stopped");
      await userAgent.stop(GOODBYE_MS);
      await emptied(GOODBYE_MS);
      await engine.stop();
    },
  };
}
