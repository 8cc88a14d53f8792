// Result of a call: transcript, analytics and agreements.
import type { NoticeHeard, RecordingReport } from "../../payloads/lawful.ts";
import type { TurnTimes } from "../../payloads/turn-times.ts";
import type { TalkCall } from "../conversation/model.ts";
import { agreedIn, analyseTalk, talkDetails, type TalkEnd } from "../conversation/result.ts";
import type { Lead } from "../model-led/lead.ts";
import type { AgentBrief, AgentTools, TalkResult } from "../port.ts";
import type { TalkLog } from "./talk-log.ts";
import { ledResult } from "./be-led.ts";

export interface TalkResultParts {
  brief: AgentBrief;
  tools: AgentTools;
  log: TalkLog;
  lead: Lead | null;
  /** Null on simulated lines, which have no latency. */
  turns: TurnTimes[] | null;
  end: Omit<TalkEnd, "keys" | "hasSpoken" | "canTransfer" | "isByKeys">;
  call: TalkCall;
  notices: readonly NoticeHeard[];
  recording: RecordingReport | null;
}

export function talkResultOf(parts: TalkResultParts): TalkResult {
  const { brief, tools, log, lead, turns, end: known, call, notices, recording } = parts;
  const transcript = log.transcript();
  const hasSpoken = transcript.some(({ speaker }) => speaker === "agent");
  const { canTransfer, byKeys } = call;
  const end: TalkEnd = { ...known, keys: log.keys(), hasSpoken, canTransfer, isByKeys: byKeys !== undefined };
  return {
    transcript,
    analytics: analyseTalk(brief, end),
    // The agent's own findings override noted details.
    extractedDetails: { ...lead?.details(), ...talkDetails(end) },
    ...(turns && { turns }),
    ...agreedIn(end.state, brief),
    ...ledResult(lead, tools),
    ...(brief.notices && { notices }),
    ...(end.state.isUnnoticed && { isUnnoticed: true }),
    ...(recording && { recording }),
  };
}
