// One call from its order to its end: opens the audio ports, then SIP, then connects the agent; finishes with the
// recording and statistics.
import { MINUTE_MS, type Clock } from "../../../core/clock.ts";
import type { Logger } from "../../../core/logger.ts";
import type { LineMessage } from "../../line-report.ts";
import type { ConsultEnd, CreateCallAgent, Sound, CallAgentOptions } from "../../port.ts";
import { openCapture, type Capture } from "./capture.ts";
import { faultFields } from "../../../core/fault-fields.ts";
import type { MediaEngine } from "../../rtp/engine.ts";
import type { AudioStream } from "../../rtp/audio-stream.ts";
import type { PacketTap } from "../../rtp/tap.ts";
import type { FromWorker, WorkerOrder } from "../carrier/protocol.ts";
import type { CallEnding, MediaPort, TransferProgress, UserAgent } from "../call/user-agent-port.ts";
import type { Consultation, ConsultationOptions } from "./consultation.ts";
import { callEndOf, type OwnCause } from "./call-end.ts";
import { createCallLine, type CallLine } from "./call-line.ts";
import { CallSound } from "./call-sound.ts";
import { createFencedAgent, type FencedAgent } from "../../fenced-agent.ts";
import { createKeysOnce, type KeySource } from "./keys-once.ts";

/** Events from the user agent, and commands. */
export interface PhoneCall {
  readonly isAnswered: boolean;
  /** Null until its ports are open, and after they are closed. */
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
  /** Messages from before the call was accepted. */
  messagesSoFar: readonly LineMessage[];
  /** Our signalling address, for the capture. Audio uses the same address with other ports. */
  sipAt: { address: string; port: number };
  engine: MediaEngine;
  createCallAgent: CreateCallAgent;
  agentNeeds: Pick<CallAgentOptions, "clip" | "ask">;
  longestCallMs: number;
  /** How long the other side may stop sending after its first audio; 0 is unlimited. */
  lostAudioMs: number;
  userAgent: Pick<UserAgent, "hangUp" | "refer">;
  /** Starts a second leg; null if the trunk cannot reach the target. */
  consult: (
    target: string,
    parts: Pick<ConsultationOptions, "stream" | "announcement" | "decided" | "left">,
  ) => Consultation | null;
  /** Sends INVITE, or answers the caller: the audio ports are open now. */
  connect: () => void;
  send: (message: FromWorker) => void;
  /** `ended` has been sent. */
  over: () => void;
}

/** Limit of a bridged call: two people talking through us are not interrupted, but a forgotten call still ends. */
const LONGEST_JOINED_MS = 60 * MINUTE_MS;
/** A longer hold is considered forgotten, and the line is needed. */
const LONGEST_HOLD_MS = 5 * MINUTE_MS;

const NEVER_DIALLED = {
  by: "us",
  outcome: "interrupted",
  sipCode: null,
  message: "It was never dialled.",
} as const;

export function startPhoneCall(options: PhoneCallOptions): PhoneCall {
  return new CallOfWorker(options);
}

class CallOfWorker implements PhoneCall {
  readonly #options: PhoneCallOptions;
  readonly #callId: string;
  readonly #capture: Capture | null;
  readonly #agent: FencedAgent;
  readonly #isNewPress: (source: KeySource, key: string) => boolean;
  readonly #sound = new CallSound();
  #isRecording = false;
  #line: CallLine | null = null;
  #cause: OwnCause | null = null;
  #answeredAtMs: number | null = null;
  #hasRung = false;
  #isOver = false;
  /** An inbound call is known to SIP from the start, an outbound one once the INVITE was sent. */
  #isOnTheWire: boolean;
  #talk: Promise<{ talk: unknown } | null> | null = null;
  #cancelLongest = () => {};
  #consultation: Consultation | null = null;
  #cancelHold = () => {};

  constructor(options: PhoneCallOptions) {
    const { clock, logger, order, createCallAgent, agentNeeds } = options;
    const { callId, brief } = order;
    this.#options = options;
    this.#callId = callId;
    this.#isOnTheWire = order.direction === "inbound";
    this.#capture = order.captureFile === null ? null : openCapture(order.captureFile, logger, { key: order.fileKey });
    this.#isNewPress = createKeysOnce(() => clock.now());
    // Created before the phone rings, so that the greeting is ready at the answer.
    const failed = () => this.hangUp("agentFailed");
    this.#agent = createFencedAgent({ clock, logger, callId, createCallAgent, brief, ...agentNeeds, failed });
    for (const message of options.messagesSoFar) this.#capture?.sip(message, options.sipAt);
    void this.#openMedia();
  }

  get isAnswered(): boolean {
    return this.#answeredAtMs !== null;
  }

  get media(): MediaPort | null {
    return this.#sound.port;
  }

  ringing(): void {
    if (!this.#hasRung) this.#options.send({ type: "ringing", callId: this.#callId });
    this.#hasRung = true;
  }

  answered(): void {
    const { clock, longestCallMs, userAgent, send } = this.#options;
    const { stream } = this.#sound;
    if (!stream || this.#cause || this.isAnswered) return;
    this.#answeredAtMs = clock.now();
    stream.answered();
    send({ type: "answered", callId: this.#callId });
    this.#cancelLongest = clock.after(longestCallMs, () => this.hangUp("hungUp"));
    this.#line = createCallLine({
      clock,
      stream,
      guard: this.#agent.guard,
      record: (isOn) => this.#record(stream, isOn),
      refer: (target) => userAgent.refer(this.#callId, target),
      consult: (target, announcement) => this.#consult(stream, target, announcement),
      hangUp: () => this.hangUp("hungUp"),
    });
    this.#agent.answered(this.#line);
  }

  keyPressed(source: KeySource, key: string): void {
    if (this.#isHeard() && this.#isNewPress(source, key)) this.#agent.keyPressed(key);
  }

  transferProgress(progress: TransferProgress): void {
    if (progress.state === "left") {
      this.#closeSound();
      // The agent still waits for the result of the transfer.
      this.#line?.tellCutOff();
    }
    if (progress.state === "refused") this.#sound.transferRefused();
    this.#line?.transferProgress(progress);
  }

  traced(message: LineMessage): void {
    this.#options.send({ type: "trace", callId: this.#callId, message });
    this.#capture?.sip(message, this.#options.sipAt);
  }

  hangUp(cause: OwnCause): void {
    const { clock, userAgent } = this.#options;
    if (this.#cause || this.#isOver) return;
    this.#cause = cause;
    // At once: audio that arrives until the callee's phone has processed the BYE is not part of the call.
    this.#closeMedia("us");
    if (this.#isOnTheWire) userAgent.hangUp(this.#callId);
    else this.ended({ ...NEVER_DIALLED, atMs: clock.now() });
  }

  ended(ending: CallEnding): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#closeMedia(ending.by === "us" ? "us" : "peer");
    void this.#report(ending);
  }

  async #openMedia(): Promise<void> {
    const { logger, engine, order, lostAudioMs } = this.#options;
    const { recordingFile, fileKey, direction } = order;
    const tap = this.#capture ? this.#tap : undefined;
    let stream: AudioStream;
    try {
      stream = await engine.open(this.#callId, { recordingFile, fileKey, tap, fromHeld: direction === "outbound" });
    } catch (error) {
      logger.error("no audio port could be opened for a call", { call_id: this.#callId, ...faultFields(error) });
      this.hangUp("noMedia");
      return;
    }
    if (this.#isOver || this.#cause) {
      await stream.close();
      return;
    }
    this.#sound.use(stream);
    stream.onAudioLost(lostAudioMs, () => this.#audioLost());
    stream.onHold((isHeld) => this.#held(isHeld));
    stream.onDtmf((key) => this.keyPressed("rtp", key));
    if (this.#agent.hearsFrames) this.#hear(stream);
    this.#connect();
  }

  #connect(): void {
    const { logger, order, connect } = this.#options;
    this.#isOnTheWire = true;
    try {
      connect();
    } catch (error) {
      logger.error("a call could not be begun", { call_id: this.#callId, ...faultFields(error) });
      this.#isOnTheWire = order.direction === "inbound";
      this.hangUp("notBegun");
    }
  }

  #record(stream: AudioStream, isOn: boolean): void {
    this.#isRecording = isOn && this.#options.order.recordingFile !== null;
    stream.record(isOn);
  }

  /** A socket may be bound to every interface; the capture has the address that was announced to the trunk. */
  readonly #tap: PacketTap = (direction, bytes, { port }, remote) => {
    if (!this.#isRecording) return;
    this.#capture?.rtp(direction, bytes, { address: this.#options.sipAt.address, port }, remote);
  };

  /** The call is answered, its audio is open, and it is not bridged to a second leg. */
  #isHeard(): boolean {
    return this.#line !== null && !this.#sound.isClosed && this.#consultation?.isJoined !== true;
  }

  #hear(stream: AudioStream): void {
    stream.onFrame((frame, _heard, _wide, lost) => this.#heardFrame(frame, lost));
  }

  #heardFrame(frame: Int16Array, lost: number): void {
    this.#consultation?.heard(frame);
    if (this.#isHeard()) this.#agent.heardFrame(frame, lost);
  }

  #consult(stream: AudioStream, target: string, announcement: Sound | null): Promise<ConsultEnd> {
    this.#consultation?.stop();
    this.#hear(stream);
    return new Promise((resolve) => {
      const decided = (end: ConsultEnd) => {
        if (end === "joined") this.#joined(stream);
        else this.#consultation = null;
        resolve(end);
      };
      const left = () => this.hangUp("hungUp");
      this.#consultation = this.#options.consult(target, { stream, announcement, decided, left });
      if (!this.#consultation) resolve("unsupported");
    });
  }

  /** The person at the second leg has agreed to no recording. */
  #joined(stream: AudioStream): void {
    this.#record(stream, false);
    this.#cancelLongest();
    this.#cancelLongest = this.#options.clock.after(LONGEST_JOINED_MS, () => this.hangUp("hungUp"));
  }

  #held(isHeld: boolean): void {
    this.#cancelHold();
    if (!this.#isHeard()) return;
    if (isHeld) this.#cancelHold = this.#options.clock.after(LONGEST_HOLD_MS, () => this.#heldTooLong());
    this.#agent.held(isHeld);
  }

  /** A pending transfer has its own timeout. */
  #heldTooLong(): void {
    if (!this.#line?.isTransferring) this.hangUp("hungUp");
  }

  /** During a transfer the peer may have no audio to send. */
  #audioLost(): void {
    if (this.#line?.isTransferring) return;
    // The exchange took the other side away, the transfer failed, and they never returned: the conversation was not cut
    // off.
    this.hangUp(this.#sound.isBack() ? "audioLost" : "hungUp");
  }

  #closeSound(): void {
    if (this.#sound.isClosed) return;
    this.#consultation?.stop();
    this.#cancelLongest();
    this.#cancelHold();
    this.#line?.close();
    this.#sound.close();
    this.#isRecording = false;
  }

  #closeMedia(by: "us" | "peer"): void {
    this.#closeSound();
    // Deferred: a transfer answered in the same packet as the BYE must still reach the agent.
    this.#talk ??= new Promise((resolve) => {
      this.#options.clock.after(0, () => {
        this.#line?.tellCutOff();
        void this.#agent.lastWords().then(() => {
          resolve(this.#agent.ended(by));
          this.#line?.forgetTransfer();
        });
      });
    });
  }

  async #report(ending: CallEnding): Promise<void> {
    const { order, send, over } = this.#options;
    const recording = await this.#sound.recorded();
    const { talkedSeconds } = this.#sound;
    const talk = await this.#talk;
    const facts = { ending, cause: this.#cause, isAnswered: this.isAnswered, talkedSeconds, talk, recording };
    const captured = (await this.#capture?.close()) ?? false;
    const line = { trunkId: order.trunkId, trace: [], media: this.#sound.figures, captured };
    send({ type: "ended", callId: this.#callId, end: { ...callEndOf(facts), line } });
    over();
  }
}
