// One call from its order to its end: audio ports first, then SIP, then the talker on the line; recording and figures last.
import type { Clock } from "../../../core/clock.ts";
import type { Logger } from "../../../core/logger.ts";
import type { LineMessage, MediaStats } from "../../line-report.ts";
import type { CreateTalker, TalkerOptions } from "../../port.ts";
import { openCapture } from "./capture.ts";
import { faultFields } from "../../fault.ts";
import type { MediaEngine } from "../rtp/engine.ts";
import type { AudioStream, Recorded } from "../rtp/audio-stream.ts";
import type { PacketTap } from "../rtp/tap.ts";
import type { FromWorker, WorkerOrder } from "../protocol.ts";
import type { CallEnding, MediaPort, TransferProgress, UserAgent } from "../call/user-agent-port.ts";
import { callEndOf, type OwnCause } from "./call-end.ts";
import { createCallLine, type CallLine } from "./call-line.ts";
import { createFencedTalker } from "../../fenced-talker.ts";
import { createKeysOnce, type KeySource } from "./keys-once.ts";

/** What the user agent reports of a call, and what may be done with it. */
export interface PhoneCall {
  readonly isAnswered: boolean;
  /** Null until its ports are open, and once they are closed. */
  readonly media: MediaPort | null;
  ringing(): void;
  answered(): void;
  keyPressed(source: KeySource, key: string): void;
  transferProgress(progress: TransferProgress): void;
  ended(ending: CallEnding): void;
  traced(message: LineMessage): void;
  hangUp(cause: OwnCause): void;
}

export interface PhoneCallOptions {
  clock: Clock;
  logger: Logger;
  order: WorkerOrder;
  /** What was said before the call was taken. */
  messagesSoFar: readonly LineMessage[];
  /** Our own end of the signalling, for the capture. Audio has its address too, and other ports. */
  sipAt: { address: string; port: number };
  engine: MediaEngine;
  createTalker: CreateTalker;
  talkersNeeds: Pick<TalkerOptions, "clip" | "ask">;
  longestCallMs: number;
  /** How long the other side may send nothing after it began; 0 for ever. */
  lostAudioMs: number;
  userAgent: Pick<UserAgent, "hangUp" | "refer">;
  /** Invites the callee, or answers the caller: the audio ports are open now. */
  connect: () => void;
  send: (message: FromWorker) => void;
  /** `ended` has been sent. */
  over: () => void;
}

/** An exchange joins the two again at once when a transfer fails; the other side's sound is back within a second or two. */
const BACK_WITHIN_MS = 5_000;
const NOT_RECORDED: Recorded = { recorded: false, seconds: 0 };

export function startPhoneCall(options: PhoneCallOptions): PhoneCall {
  const { clock, logger, order, engine, createTalker, userAgent, send } = options;
  const { callId, brief } = order;
  const capture = order.captureFile === null ? null : openCapture(order.captureFile, logger);
  const isNewPress = createKeysOnce(() => clock.now());
  let stream: AudioStream | null = null;
  let line: CallLine | null = null;
  let cause: OwnCause | null = null;
  let answeredAtMs: number | null = null;
  let hasRung = false;
  let isOver = false;
  /** A caller rings before we do anything; a callee is known to SIP once it was invited. */
  let isOnTheWire = order.direction === "inbound";
  let talk: Promise<{ talk: unknown } | null> | null = null;
  /** What had come when a transfer failed; below every count where none did. */
  let packetsAtRefusal = -1;
  let figures: MediaStats | null = null;
  let recording: Promise<Recorded> | null = null;
  let cancelLongest = () => {};

  // Made before the phone rings, so that the greeting is ready when it is picked up.
  const failed = () => hangUp("agentFailed");
  const talker = createFencedTalker({ clock, logger, callId, createTalker, brief, ...options.talkersNeeds, failed });
  for (const message of options.messagesSoFar) capture?.sip(message, options.sipAt);
  void openMedia();

  /** A socket may be bound to every interface; a capture names the one that the trunk was told. */
  function tap(...[direction, bytes, { port }, remote]: Parameters<PacketTap>): void {
    capture?.rtp(direction, bytes, { address: options.sipAt.address, port }, remote);
  }

  async function openMedia(): Promise<void> {
    let opened: AudioStream;
    try {
      opened = await engine.open(callId, { recordingFile: order.recordingFile, tap: capture ? tap : undefined });
    } catch (error) {
      logger.error("no audio port could be opened for a call", { call_id: callId, ...faultFields(error) });
      hangUp("noMedia");
      return;
    }
    if (isOver || cause) {
      await opened.close();
      return;
    }
    stream = opened;
    opened.onAudioLost(options.lostAudioMs, audioLost);
    opened.onDtmf((key) => keyPressed("rtp", key));
    if (talker.hearsFrames) opened.onFrame(heardFrame);
    isOnTheWire = true;
    try {
      options.connect();
    } catch (error) {
      logger.error("a call could not be begun", { call_id: callId, ...faultFields(error) });
      isOnTheWire = order.direction === "inbound";
      hangUp("notBegun");
    }
  }

  function answered(): void {
    if (!stream || cause || answeredAtMs !== null) return;
    answeredAtMs = clock.now();
    stream.answered();
    send({ type: "answered", callId });
    cancelLongest = clock.after(options.longestCallMs, () => hangUp("hungUp"));
    line = createCallLine({
      clock,
      stream,
      guard: talker.guard,
      refer: (target) => userAgent.refer(callId, target),
      hangUp: () => hangUp("hungUp"),
    });
    talker.answered(line);
  }

  function keyPressed(source: KeySource, key: string): void {
    if (line && !recording && isNewPress(source, key)) talker.keyPressed(key);
  }

  function heardFrame(frame: Int16Array, wasReceived: boolean): void {
    if (line && !recording) talker.heardFrame(frame, wasReceived);
  }

  /** A peer that is busy with a transfer may have nobody to send the sound of. */
  function audioLost(): void {
    if (line?.isTransferring) return;
    // It took them away, the transfer failed, and they never came back: nothing broke off in the middle of a talk.
    const isBack = (stream?.stats().receivedPackets ?? 0) > packetsAtRefusal;
    hangUp(isBack ? "audioLost" : "hungUp");
  }

  function transferProgress(progress: TransferProgress): void {
    if (progress.state === "left") {
      closeSound();
      // The talker still waits for what becomes of the transfer.
      line?.tellCutOff();
    }
    if (progress.state === "refused" && stream && !recording) {
      packetsAtRefusal = stream.stats().receivedPackets;
      stream.expectAudioWithin(BACK_WITHIN_MS);
    }
    line?.transferProgress(progress);
  }

  function hangUp(why: OwnCause): void {
    if (cause || isOver) return;
    cause = why;
    // At once: what the callee says until their phone has understood is no part of the call.
    closeMedia("us");
    if (isOnTheWire) userAgent.hangUp(callId);
    else
      ended({ by: "us", outcome: "interrupted", sipCode: null, message: "It was never dialled.", atMs: clock.now() });
  }

  function closeSound(): void {
    if (recording) return;
    cancelLongest();
    line?.close();
    const stats = stream?.stats();
    if (stats && stats.sentPackets + stats.receivedPackets > 0) figures = stats;
    recording = stream ? stream.close() : Promise.resolve(NOT_RECORDED);
  }

  function closeMedia(by: "us" | "peer"): void {
    closeSound();
    if (talk) return;
    // A moment later: a transfer that was answered in the same packet as the goodbye is still to reach the talker.
    talk = new Promise((resolve) => {
      clock.after(0, () => {
        line?.tellCutOff();
        resolve(talker.ended(by));
        line?.forgetTransfer();
      });
    });
  }

  function ended(ending: CallEnding): void {
    if (isOver) return;
    isOver = true;
    closeMedia(ending.by === "us" ? "us" : "peer");
    void report(ending);
  }

  async function report(ending: CallEnding): Promise<void> {
    const facts = { ending, cause, answeredAtMs, talk: await talk, recording: (await recording) ?? NOT_RECORDED };
    const captured = (await capture?.close()) ?? false;
    const line = { trunkId: order.trunkId, trace: [], media: figures, captured };
    send({ type: "ended", callId, end: { ...callEndOf(facts), line } });
    options.over();
  }

  return {
    get isAnswered() {
      return answeredAtMs !== null;
    },
    get media() {
      return recording ? null : stream;
    },
    ringing() {
      if (!hasRung) send({ type: "ringing", callId });
      hasRung = true;
    },
    answered,
    keyPressed,
    transferProgress,
    ended,
    traced(message) {
      send({ type: "trace", callId, message });
      capture?.sip(message, options.sipAt);
    },
    hangUp,
  };
}
