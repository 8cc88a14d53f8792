// The telephone line and nothing else: dial or take a call, sound in and out, keys, transfer, hang-up. The simulator
// and SIP are carriers; both pass the same contract test. Who talks on the line, and about what, is nothing that a
// carrier knows: it makes an agent for each call, and hands on what it was given for it and what it leaves behind.
import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import type { LineReport } from "./line-report.ts";

export interface Sound {
  /** 16 bits, 8 kHz. Null where nobody will ever hear it: on a simulated line the words stand in for it. */
  samples: Int16Array | null;
  lengthMs: number;
  words: string;
}

export interface PlayEnd {
  /** What really went out. */
  playedMs: number;
  isWhole: boolean;
}

/**
 * `handed_over`: the exchange took the other side away from us and told nothing more. `gone`: it took them away, and
 * nobody answered.
 */
export type TransferEnd = "answered" | "refused" | "handed_over" | "gone";

/**
 * `joined`: they answered, and the two hear each other; nothing that is played is heard any more. `unsupported`: this
 * line cannot call them; the other side's exchange may.
 */
export type ConsultEnd = "joined" | "busy" | "no_answer" | "refused" | "unsupported";

/** One call's line to the other side, from the answer on. */
export interface Line {
  /**
   * After what is playing already. The function that comes back tells how many milliseconds of it have gone out by now;
   * it stands still while the other side holds us, and while it is paused.
   */
  play(sound: Sound, onEnd: (end: PlayEnd) => void): () => number;
  /** Silent at once; every onEnd hears how far it came before this returns. Ends a pause. */
  stopPlaying(): void;
  /** Fades out within a frame and keeps the place; what is played meanwhile waits. */
  pausePlaying(): void;
  /** Fades in where it was paused. */
  resumePlaying(): void;
  /** Keys for the other side: 0–9, *, #. */
  press(keys: string): void;
  /** Sends the other side on to a number or a SIP address. The call goes on until somebody hangs up. */
  transfer(target: string): Promise<TransferEnd>;
  /**
   * Calls a number or a SIP address beside this call, and joins the two once it is answered. The other side stays on
   * the line meanwhile and hears what is played. `announcement` is for who answers.
   */
  consult(target: string, announcement: Sound | null): Promise<ConsultEnd>;
  hangUp(): void;
}

/** Whoever talks on a line. What it throws, or lets go rejected, ends its own call and no other. */
export interface CallAgent {
  answered(line: Line): void;
  keyPressed(key: string): void;
  /**
   * 160 samples of 8 kHz, every 20 ms; to be copied by who keeps them. Silence where nothing was received. `lost`: how
   * many frames turned out to be lost since the one before. A pause of the other side is none.
   */
  heardFrame?(frame: Int16Array, lost: number): void;
  /** The other side holds us, or is back. Until then nothing that is played goes out, and nobody hears us. */
  held?(isHeld: boolean): void;
  /** Words that stand in for frames. */
  heardWords(words: string): void;
  /** The line is down, and `ended` follows: the agent may still hear out what was said last, within seconds. */
  lastWords?(): Promise<void>;
  /**
   * The call is over, whoever hung up. Nothing is asked of the line afterwards. What it leaves survives
   * structuredClone.
   */
  ended(by: "us" | "peer"): unknown;
}

/** What an agent is made with, while the phone rings. */
export interface CallAgentOptions {
  callId: string;
  clock: Clock;
  logger: Logger;
  /** As the order had it. */
  brief: unknown;
  /** By the name that the order gave it; null where it could not be brought. */
  clip(name: string): Int16Array | null;
  /** Asks whoever placed the order; what crosses survives structuredClone. */
  ask(question: unknown): Promise<unknown>;
  /** Work that nobody waits for: should it fail, the call ends as if the agent had thrown. */
  start(work: () => Promise<void>): void;
}

export type CreateCallAgent = (options: CallAgentOptions) => CallAgent;

/** A sound that the agent may want; the key changes when the sound does. */
export interface Clip {
  name: string;
  key: string;
}

/** One call to make, or to take. */
export interface CallOrder {
  callId: string;
  /** What carries `from`; null where the number has no trunk. The simulator needs none. */
  trunkId: string | null;
  /** E.164: the line we call from and the number we call. For an inbound call, our own number and the caller. */
  from: string;
  to: string;
  /** Where the carrier writes the recording, as it happens. The folder exists. */
  recordingFile: string;
  /** Where it writes the packets, where somebody asked for them. */
  captureFile: string | null;
  /** What a simulated callee says; no real line reads it. */
  calleeLines?: readonly string[];
  clips: readonly Clip[];
  /** For the agent; survives structuredClone. */
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

/** Connected to a person or a voicemail, and ended in peace. */
export interface Connection {
  kind: "completed";
  /** From answer to hang-up. */
  durationSeconds: number;
  /** What the agent left. */
  talk: unknown;
  /** Whether recordingFile holds a playable WAV, or will when it is asked for. */
  recorded: boolean;
  line?: LineReport;
}

/** Never connected, or broke off for a technical cause. */
export interface Failure {
  kind: "failed";
  code: FailureCode;
  /** One sentence for a person; no personal data. */
  message: string;
  durationSeconds?: number;
  /** Whether recordingFile holds what was said until it broke off. */
  recorded?: boolean;
  /** No phone rang, and the failure says nothing about the callee: the call may be dialled again under the same id. */
  putBack?: true;
  line?: LineReport;
}

export type LineEnd = Connection | Failure;

/** Somebody calls one of our numbers. It rings until one of the two is called; both do nothing once it is over. */
export interface Arrival {
  callId: string;
  trunkId: string;
  /** As the trunk gave them: E.164 where it could be made out, otherwise as dialled. */
  from: string;
  to: string;
  /** The trunk called us by the name of the account that it gave us. */
  isToAccount: boolean;
  accept(order: CallOrder): void;
  reject(why: "unknown_number" | "no_line" | "unavailable"): void;
}

/**
 * A carrier reports in this order, each at most once per call: ringing, answered, ended. `ended` always comes, and
 * comes last. For a call that arrives it is: arrived, answered, ended; nothing more where it was rejected.
 */
export interface CarrierListener {
  ringing(callId: string): void;
  answered(callId: string): void;
  /**
   * Before `answered` and whenever it changes: what the carrier needs to end its side of the call after a crash of
   * ours.
   */
  legKept?(callId: string, leg: string): void;
  ended(callId: string, end: LineEnd): void;
  arrived(arrival: Arrival): void;
  /** A call's agent asks. A rejection is told to it as a failure without its reason. */
  asked(callId: string, question: unknown): Promise<unknown>;
}

/** Whether a trunk takes another call now. */
export type TrunkLines =
  | { kind: "open"; lines: number }
  /** `until`: when to look again; null where nobody knows. */
  | { kind: "closed"; reason: "number_has_no_trunk" | "trunk_unavailable" | "overloaded"; until: number | null };

export interface Carrier {
  readonly name: string;
  /** How many calls it can hold at once; the dispatcher never asks for more. */
  readonly lines: number;
  /** Asked before each dial, so that calls wait for a trunk instead of failing on it. */
  trunkLines(trunkId: string | null): TrunkLines;
  /**
   * Keeps ready what so many calls need to begin beyond a free line, and answers for how many there is enough. Asked
   * before calls are claimed, so that they wait in the queue; asked for none once they are dialled. Absent where a line
   * is enough.
   */
  makeRoom?(calls: number): Promise<number>;
  /** Begins to dial and returns at once. What becomes of it is reported to the listener, never thrown. */
  dial(order: CallOrder): void;
  /** Ends a call that is under way; the listener hears `ended`. Unknown ids are ignored. */
  hangUp(callId: string): void;
  /**
   * Lets calls end by themselves while the carrier's drain time lasts, ends the others as `interrupted`, reports them,
   * and reports nothing afterwards.
   */
  stop(): Promise<void>;
}

export type CarrierFactory = (listener: CarrierListener) => Carrier;

/** Where no one dials, as on the command line. */
export const OPEN_LINE: Pick<Carrier, "lines" | "trunkLines"> = {
  lines: Infinity,
  trunkLines: () => ({ kind: "open", lines: Infinity }),
};
