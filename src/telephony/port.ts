// The carrier interface: dial or accept a call, audio in and out, keys, transfer, hang-up. The simulator and SIP are
// carriers; both pass the same contract test. A carrier has no knowledge of the conversation: it creates an agent for
// each call, passes it the brief of the order, and returns its result.
import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import type { FileKey } from "../core/sealed-frames.ts";
import type { LineReport } from "./line-report.ts";

export interface Sound {
  /** 16 bits, 8 kHz. Null on a simulated line, where the words stand in for audio. */
  samples: Int16Array | null;
  lengthMs: number;
  words: string;
}

export interface PlayEnd {
  /** The part that was sent. */
  playedMs: number;
  isWhole: boolean;
}

/**
 * `handed_over`: the exchange moved the other side to the target and reported nothing more. `gone`: it moved them, and
 * the target did not answer.
 */
export type TransferEnd = "answered" | "refused" | "handed_over" | "gone";

/**
 * `joined`: the target answered and both sides hear each other; later sounds are not heard. `unsupported`: this line
 * cannot call the target; the other side's exchange may.
 */
export type ConsultEnd = "joined" | "busy" | "no_answer" | "refused" | "unsupported";

/** One call's line to the other side, from the answer on. */
export interface Line {
  /**
   * Queues a sound after those already playing. The returned function gives the milliseconds sent so far; it stands
   * still while the call is on hold or paused.
   */
  play(sound: Sound, onEnd: (end: PlayEnd) => void): () => number;
  /** Stops playback at once; every onEnd gets its position before this returns. Ends a pause. */
  stopPlaying(): void;
  /** Fades out within a frame and keeps the position; sounds queued meanwhile wait. */
  pausePlaying(): void;
  /** Fades in at the paused position. */
  resumePlaying(): void;
  /** Sends DTMF keys: 0–9, *, #. */
  press(keys: string): void;
  /** Transfers the other side to a number or a SIP address. The call lasts until one side hangs up. */
  transfer(target: string): Promise<TransferEnd>;
  /**
   * Calls a number or a SIP address on a second leg, and joins the two when it answers. The other side stays on the
   * line meanwhile and hears the sounds played. `announcement` is played to the target.
   */
  consult(target: string, announcement: Sound | null): Promise<ConsultEnd>;
  /**
   * Starts or stops writing to the recording and to the audio of the capture. Nothing is written before the first
   * `record(true)`; a later one appends to the same file. No effect on a call without `recordingFile`.
   */
  record(isOn: boolean): void;
  hangUp(): void;
}

/** The agent on a line. An exception or unhandled rejection ends its own call and no other. */
export interface CallAgent {
  answered(line: Line): void;
  keyPressed(key: string): void;
  /**
   * 160 samples at 8 kHz, every 20 ms; the buffer is reused, so copy it to keep it. Silence if nothing was received.
   * `lost`: frames found lost since the previous call. A pause of the other side is no loss.
   */
  heardFrame?(frame: Int16Array, lost: number): void;
  /** The other side put us on hold, or resumed. On hold nothing is sent, and the other side does not hear us. */
  held?(isHeld: boolean): void;
  /** Words that stand in for frames on a simulated line. */
  heardWords(words: string): void;
  /** The line is closed, and `ended` follows: the agent may finish recognising the last utterance, within seconds. */
  lastWords?(): Promise<void>;
  /**
   * The call ended, whichever side hung up. The agent must not use the line afterwards. The result must survive
   * structuredClone.
   */
  ended(by: "us" | "peer"): unknown;
}

/** Options of a new agent, which is created while the phone rings. */
export interface CallAgentOptions {
  callId: string;
  clock: Clock;
  logger: Logger;
  /** From the order. */
  brief: unknown;
  /** By its name in the order; null if it could not be loaded. */
  clip(name: string): Int16Array | null;
  /** Asks the process that placed the order; question and answer must survive structuredClone. */
  ask(question: unknown): Promise<unknown>;
  /** Starts background work. If it fails, the call ends as if the agent had thrown. */
  start(work: () => Promise<void>): void;
}

export type CreateCallAgent = (options: CallAgentOptions) => CallAgent;

/** A sound that the agent may play; the key changes with the content. */
export interface Clip {
  name: string;
  key: string;
}

/** One call to dial or to accept. */
export interface CallOrder {
  callId: string;
  /** The trunk of `from`; null if the number has none. The simulator needs none. */
  trunkId: string | null;
  /** E.164: our line and the number to call. For an inbound call, our number and the caller's. */
  from: string;
  to: string;
  /**
   * Path to which the carrier writes the recording while the agent has it on. The folder exists; the file does not
   * until then. Null: the call must not be recorded, and its capture holds no audio.
   */
  recordingFile: string | null;
  /** Path of the packet capture; null if none was requested. Audio is captured only while the recording is on. */
  captureFile: string | null;
  /** Encrypts both files; absent: they are plain. */
  fileKey?: FileKey | null;
  /** The script of a simulated callee; ignored on real lines. */
  calleeLines?: readonly string[];
  clips: readonly Clip[];
  /** For the agent; must survive structuredClone. */
  brief: unknown;
}

export const FAILURE_CODES = [
  "busy",
  "no_answer",
  "invalid_number",
  "rejected",
  "carrier_error",
  "infrastructure_error",
  "interrupted",
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** Connected to a person or a voicemail, and ended normally. */
export interface Connection {
  kind: "completed";
  /** From answer to hang-up. */
  durationSeconds: number;
  /** The agent's result. */
  talk: unknown;
  /** Whether recordingFile holds a playable WAV, or will when it is requested. */
  recorded: boolean;
  line?: LineReport;
}

/** Never connected, or ended by a technical failure. */
export interface Failure {
  kind: "failed";
  code: FailureCode;
  /** One sentence for a person; no personal data. */
  message: string;
  durationSeconds?: number;
  /** Whether recordingFile holds the audio up to the failure. */
  recorded?: boolean;
  /** The agent's result up to the failure; absent without an answer, or if the agent or its thread failed. */
  talk?: unknown;
  /** No phone rang, and the failure says nothing about the callee: the call may be dialled again under the same id. */
  putBack?: true;
  line?: LineReport;
}

export type LineEnd = Connection | Failure;

/**
 * An inbound call to one of our numbers. It rings until `accept` or `reject` is called; both do nothing once it is
 * over.
 */
export interface Arrival {
  callId: string;
  trunkId: string;
  /** As sent by the trunk: E.164 if it could be normalised, otherwise as dialled. */
  from: string;
  to: string;
  /** The trunk addressed the call to our account name. */
  isToAccount: boolean;
  accept(order: CallOrder): void;
  reject(why: "unknown_number" | "no_line" | "unavailable"): void;
}

/**
 * Events of a carrier, in this order and each at most once per call: ringing, answered, ended. `ended` always comes,
 * and comes last. For an inbound call: arrived, answered, ended; nothing more after a rejection.
 */
export interface CarrierListener {
  ringing(callId: string): void;
  answered(callId: string): void;
  /**
   * Before `answered` and on every change: the state that the carrier needs to end its side of the call after a crash.
   */
  legKept?(callId: string, leg: string): void;
  ended(callId: string, end: LineEnd): void;
  arrived(arrival: Arrival): void;
  /** A question from a call's agent. The agent sees a rejection as a failure without its reason. */
  asked(callId: string, question: unknown): Promise<unknown>;
}

/** Whether a trunk accepts another call now. */
export type TrunkLines =
  /** `spacingMs`: between two new calls, where it and not the number of lines is the limit. */
  | { kind: "open"; lines: number; spacingMs?: number }
  /** `until`: when to check again; null if unknown. */
  | { kind: "closed"; reason: "number_has_no_trunk" | "trunk_unavailable" | "overloaded"; until: number | null };

export interface Carrier {
  readonly name: string;
  /** Maximum concurrent calls; the dispatcher never exceeds it. */
  readonly lines: number;
  /** Checked before each dial, so that calls wait for a trunk instead of failing. */
  trunkLines(trunkId: string | null): TrunkLines;
  /**
   * Reserves the resources that this many calls need besides a free line, and returns for how many there are enough.
   * Called before calls are claimed, so that they wait in the queue; called with 0 once they are dialled. Absent if a
   * line is enough.
   */
  makeRoom?(calls: number): Promise<number>;
  /** Starts dialling and returns at once. The outcome is reported to the listener, never thrown. */
  dial(order: CallOrder): void;
  /** Ends an active call; the listener gets `ended`. Unknown ids are ignored. */
  hangUp(callId: string): void;
  /**
   * Lets calls finish during the drain time, ends the rest as `interrupted`, reports them, and reports nothing
   * afterwards.
   */
  stop(): Promise<void>;
}

export type CarrierFactory = (listener: CarrierListener) => Carrier;

/** For processes that do not dial, such as the command line. */
export const OPEN_LINE: Pick<Carrier, "lines" | "trunkLines"> = {
  lines: Infinity,
  trunkLines: () => ({ kind: "open", lines: Infinity }),
};
