// How a call ended, with what its agent made of it: the line's report and the agent's result in one.
import type { Connection, Failure, LineEnd } from "../../telephony/port.ts";
import type { AnalysisSource } from "../../payloads/conversation.ts";
import type { TalkResult } from "../../voice/port.ts";

/** A call that was connected to a person or a voicemail. */
export interface Conversation extends Omit<Connection, "talk">, TalkResult {
  /** Who says what stands in its analysis; set once it is settled. */
  source?: AnalysisSource | null;
}

/**
 * A call that nobody answered, or that broke off. What it sent to model servers, and what was agreed on, as far as it
 * is known.
 */
export interface BrokenCall extends Failure, Pick<TalkResult, "sent"> {
  extractedDetails?: TalkResult["extractedDetails"];
}

export type CallEnd = Conversation | BrokenCall;

/** The agent's clock and the recording's frames may differ by a moment; nothing was said after the end. */
export function callEndOf(end: LineEnd | BrokenCall): CallEnd {
  if (end.kind === "failed") return end;
  const { talk: sealed, ...connection } = end;
  // What an agent of voice/ left, carried here unread.
  const talk = sealed as TalkResult;
  const transcript = talk.transcript.map((utterance) => ({
    ...utterance,
    timestamp: Math.min(utterance.timestamp, connection.durationSeconds),
  }));
  return { ...connection, ...talk, transcript };
}
