// Facts of a call that are fixed before the answer, derived from the brief.
import { wallTime } from "../../core/zones.ts";
import { languageNamed } from "../../speech/languages.ts";
import { phrasesIn } from "../conversation/phrases/languages.ts";
import type { CallbackTime, TalkCall, Told } from "../conversation/model.ts";
import type { TalkContext } from "../conversation/moves.ts";
import type { AgentBrief, AgentTools } from "../port.ts";
import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { LedOptions } from "../model-led/lead.ts";

/** Dependencies of a call agent. */
export interface TalkingAgentOptions {
  clock: Clock;
  logger: Logger;
  brief: AgentBrief;
  tools: AgentTools;
  led?: LedOptions;
  /** The call ends if the work fails. */
  start(work: () => Promise<void>): void;
}

/** A greeting that asks for identity makes the question redundant. */
const ASKS_IDENTITY =
  /(?:\b(?:am i speaking|is this|speaking (?:with|to)|do i have)\b[^.!]*|से बात (?:कर|हो)[^।!]*)\?\s*$/i;

export function talkCallOf(brief: AgentBrief, tools: AgentTools): TalkCall {
  const greeting = phrasesIn(brief.language).greeting(brief);
  const isByKeys = tools.ears === null;
  const isAsked = !isByKeys && tools.recorded("greeting") === null && ASKS_IDENTITY.test(greeting.text);
  return {
    canBook: tools.desk?.canBook ?? false,
    canWait: tools.desk?.canWait ?? false,
    hasPlace: tools.desk?.hasPlace ?? false,
    canTransfer: brief.transferTo !== null,
    isOutbound: brief.direction === "outbound",
    agentName: brief.agentName,
    contactName: brief.contactName,
    greeting,
    greetingAsksIdentity: isAsked,
    announcesOpenly: brief.announcesOpenly ?? false,
    isTriedAgain: brief.isTriedAgain ?? false,
    ...(isByKeys && { byKeys: { isSpoken: !brief.isMute, hasRecordedMenu: tools.recorded("menu") !== null } }),
  };
}

/** Whether phrases exist for this language. */
export function canTalkIn(language: string): boolean {
  return languageNamed(language) !== null;
}

/** Context for a step of the conversation. `isLed`: null if no model leads the call. */
export function talkContextOf(
  { clock, brief, led }: TalkingAgentOptions,
  call: TalkCall,
  told: Told,
  isLed: boolean | null,
): TalkContext {
  const now = wallClock(clock.now(), brief.timeZone);
  const context = { call, phrases: phrasesIn(brief.language), told, now };
  return isLed === null ? context : { ...context, isLed, rules: led?.rules ?? {} };
}

/** Current date and time at the branch. */
function wallClock(nowMs: number, timeZone: string): CallbackTime {
  const { date, minuteOfDay } = wallTime(nowMs, timeZone);
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  return { date, startTime: `${twoDigits(Math.floor(minuteOfDay / 60))}:${twoDigits(minuteOfDay % 60)}` };
}
