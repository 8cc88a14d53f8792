// What a call leaves behind: who said what, what it came to, and what was agreed on.
import type { TurnTimes } from "../../payloads/turn-times.ts";
import type { TalkCall } from "../conversation/model.ts";
import { agreedIn, analyseTalk, talkDetails, type TalkEnd } from "../conversation/result.ts";
import type { Lead } from "../model-led/lead.ts";
import type { AgentBrief, AgentTools, TalkResult } from "../port.ts";
import type { TalkLog } from "../talk-log.ts";
import { ledResult } from "./be-led.ts";

export interface TalkResultParts {
  brief: AgentBrief;
  tools: AgentTools;
  log: TalkLog;
  lead: Lead | null;
  /** Null where words stand in for sound: nobody waited for anything. */
  turns: TurnTimes[] | null;
  end: Omit<TalkEnd, "keys" | "hasSpoken" | "canTransfer" | "isByKeys">;
  call: TalkCall;
}

export function talkResultOf({ brief, tools, log, lead, turns, end: known, call }: TalkResultParts): TalkResult {
  const transcript = log.transcript();
  const hasSpoken = transcript.some(({ speaker }) => speaker === "agent");
  const { canTransfer, byKeys } = call;
  const end: TalkEnd = { ...known, keys: log.keys(), hasSpoken, canTransfer, isByKeys: byKeys !== undefined };
  return {
    transcript,
    analytics: analyseTalk(brief, end),
    // What the agent itself knows comes last: nothing that was noted may stand in its place.
    extractedDetails: { ...lead?.details(), ...talkDetails(end) },
    ...(turns && { turns }),
    ...agreedIn(end.state, brief),
    ...ledResult(lead, tools),
  };
}
