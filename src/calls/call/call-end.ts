// End of a call: the line's report combined with the agent's result.
import type { Connection, Failure, LineEnd } from "../../telephony/port.ts";
import type { AnalysisSource } from "../../payloads/conversation.ts";
import type { TalkResult } from "../../voice/port.ts";

/** A call that was connected to a person or a voicemail. */
export interface Conversation extends Omit<Connection, "talk">, TalkResult {
  /** Author of the analysis; set once it is settled. */
  source?: AnalysisSource | null;
}

/** A call that was not answered or broke off, with the data sent to model servers and the agreements known so far. */
export interface BrokenCall extends Failure, Pick<TalkResult, "sent"> {
  extractedDetails?: TalkResult["extractedDetails"];
}

export type CallEnd = Conversation | BrokenCall;

/** The agent's clock and the recording's frames may differ slightly; utterance times are clamped to the end. */
export function callEndOf(end: LineEnd | BrokenCall): CallEnd {
  if (end.kind === "failed") return end;
  const { talk: sealed, ...connection } = end;
  // Produced by an agent in voice/ and passed through the carrier unread.
  const talk = sealed as TalkResult;
  const transcript = talk.transcript.map((utterance) => ({
    ...utterance,
    timestamp: Math.min(utterance.timestamp, connection.durationSeconds),
  }));
  return { ...connection, ...talk, transcript };
}
