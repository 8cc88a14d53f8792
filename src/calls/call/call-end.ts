// End of a call: the line's report combined with the agent's result.
import type { Connection, Failure, LineEnd } from "../../telephony/port.ts";
import type { AnalysisSource } from "../../payloads/conversation.ts";
import type { SentNote } from "../../speech/servers/port.ts";
import type { Agreed, TalkResult } from "../../voice/port.ts";

/** A call that was connected to a person or a voicemail. */
export interface Conversation extends Omit<Connection, "talk">, TalkResult {
  /** Author of the analysis; set once it is settled. */
  source?: AnalysisSource | null;
}

/** A call that was not answered or broke off, with what is known of the talk. `notices` is absent if unknown. */
export interface BrokenCall extends Omit<Failure, "talk">, Agreed, Pick<TalkResult, "sent" | "notices" | "recording"> {
  extractedDetails?: TalkResult["extractedDetails"];
}

export type CallEnd = Conversation | BrokenCall;

/** `sent`: the data known to be sent to model servers, in case the agent's report is lost. */
export function callEndOf(end: LineEnd, sent?: readonly SentNote[]): CallEnd {
  if (end.kind === "failed") return brokenCallOf(end, sent);
  const { talk: sealed, ...connection } = end;
  // Produced by an agent in voice/ and passed through the carrier unread.
  const talk = sealed as TalkResult;
  // The agent's clock and the recording's frames may differ slightly.
  const transcript = talk.transcript.map((utterance) => ({
    ...utterance,
    timestamp: Math.min(utterance.timestamp, connection.durationSeconds),
  }));
  return { ...connection, ...talk, transcript };
}

/** The conversation is not whole: its transcript, analysis and details are left out. */
function brokenCallOf({ talk: sealed, ...failure }: Failure, sent?: readonly SentNote[]): BrokenCall {
  if (sealed === undefined) return { ...failure, ...(sent && { sent }) };
  const { transcript: _1, analytics: _2, extractedDetails: _3, isUnnoticed: _4, ...talk } = sealed as TalkResult;
  return { ...failure, ...(sent && { sent }), notices: [], ...talk };
}
