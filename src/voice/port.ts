// What an agent is given on a call, and what it owes at the end. It knows nothing of SIP, RTP or the database.
import type { PromptKind } from "../db/tables.ts";
import type { BookingDesk, Conversation } from "../telephony/port.ts";

/**
 * `handed_over`: the exchange took the other side away from us and told nothing more. `gone`: it took them away, and
 * nobody answered.
 */
export type TransferEnd = "answered" | "refused" | "handed_over" | "gone";

/** The line to the other side, from the answer on. */
export interface Line {
  /**
   * 16-bit samples at 8 kHz, after what is playing already. `onEnd` hears whether it was played to the end. The function that
   * comes back tells how many milliseconds of it have gone out by now; it stands still while the other side holds us.
   */
  play(samples: Int16Array, onEnd: (wasPlayedOut: boolean) => void): () => number;
  /** Silent at once; every onEnd hears false before this returns. */
  stopPlaying(): void;
  /** Sends the other side on to a number or a SIP address. The call goes on until somebody hangs up. */
  transfer(target: string): Promise<TransferEnd>;
  hangUp(): void;
}

/** Everything the agent knows before the phone is picked up. */
export interface AgentBrief {
  agentName: string;
  /** BCP 47. */
  language: string;
  /** The text of its greeting, placeholders filled in. */
  greeting: string;
  contactName: string | null;
  transferTo: string | null;
  direction: "outbound" | "inbound";
}

export interface AgentTools {
  /** Recorded words; null where none were recorded. */
  recorded(kind: PromptKind): Int16Array | null;
  /** Words of the built-in voice; null where it does not have the language or fails. */
  speak(text: string): Promise<Int16Array | null>;
  desk: BookingDesk | null;
}

export type TalkResult = Pick<Conversation, "transcript" | "analytics" | "extractedDetails" | "callbackInMinutes">;

/** One call's agent. Made while the phone rings, so that the greeting is ready at the answer. */
export interface Agent {
  answered(line: Line): void;
  keyPressed(key: string): void;
  /** The call is over, whoever hung up. Nothing is asked of the line or the tools afterwards. */
  ended(by: "us" | "peer"): TalkResult;
}
