// What is fixed for a talking agent's call before it is answered.
import type { TalkCall } from "../conversation/model.ts";
import { keypadWordsIn } from "../keypad/lines/languages.ts";
import type { AgentBrief, AgentTools } from "../port.ts";

/** A greeting that asks it by itself need not be followed by the question. */
const ASKS_IDENTITY = /\b(?:am i speaking|is this|speaking (?:with|to)|do i have)\b[^.!]*\?\s*$/i;

export function talkCallOf(brief: AgentBrief, tools: AgentTools): TalkCall {
  const greeting = keypadWordsIn(brief.language).greeting(brief);
  return {
    canBook: tools.desk?.canBook ?? false,
    canTransfer: brief.transferTo !== null,
    isOutbound: brief.direction === "outbound",
    agentName: brief.agentName,
    contactName: brief.contactName,
    greeting,
    greetingAsksIdentity: tools.recorded("greeting") === null && ASKS_IDENTITY.test(greeting.text),
  };
}
