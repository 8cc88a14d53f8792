// What is fixed for a call before it is answered, from what the agent was given.
import { wallTime } from "../../core/zones.ts";
import { languageNamed } from "../../speech/languages.ts";
import { phrasesIn } from "../conversation/phrases/languages.ts";
import type { CallbackTime, TalkCall, Told } from "../conversation/model.ts";
import type { TalkContext } from "../conversation/moves.ts";
import type { AgentBrief, AgentTools } from "../port.ts";
import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { LedOptions } from "../model-led/lead.ts";

/** What an agent is made with. */
export interface TalkingAgentOptions {
  clock: Clock;
  logger: Logger;
  brief: AgentBrief;
  tools: AgentTools;
  led?: LedOptions;
  /** Should the work fail, the call ends. */
  start(work: () => Promise<void>): void;
}

/** A greeting that asks it by itself need not be followed by the question. */
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

/** Whether there are words for a conversation in this language. */
export function canTalkIn(language: string): boolean {
  return languageNamed(language) !== null;
}

/** What a step of the conversation looks at now. `isLed`: null where no model leads the call. */
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

/** The branch's today and clock time. */
function wallClock(nowMs: number, timeZone: string): CallbackTime {
  const { date, minuteOfDay } = wallTime(nowMs, timeZone);
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  return { date, startTime: `${twoDigits(Math.floor(minuteOfDay / 60))}:${twoDigits(minuteOfDay % 60)}` };
}
