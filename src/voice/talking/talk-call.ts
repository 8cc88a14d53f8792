// Facts of a call that are fixed before the answer, derived from the brief.
import { wallTime } from "../../core/zones.ts";
import { languageNamed, NOTICES_IN } from "../../speech/languages.ts";
import { noticedGreeting } from "../conversation/greeting-notices.ts";
import { notice, phrase } from "../conversation/phrase.ts";
import { phrasesIn } from "../conversation/phrases/languages.ts";
import type { Phrases } from "../conversation/phrases/phrases.ts";
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
  const isRecorded = tools.recorded("greeting") !== null;
  const isByKeys = tools.ears === null;
  const { greeting, notices } = openingOf(brief, isRecorded, isByKeys);
  const isAsked = !isByKeys && !isRecorded && ASKS_IDENTITY.test(greeting?.text ?? "");
  return {
    canBook: tools.desk?.canBook ?? false,
    canWait: tools.desk?.canWait ?? false,
    hasPlace: tools.desk?.hasPlace ?? false,
    canTransfer: brief.transferTo !== null,
    isOutbound: brief.direction === "outbound",
    ...(brief.isCallerKnown && { isCallerKnown: true }),
    agentName: brief.agentName,
    contactName: brief.contactName,
    greeting,
    greetingAsksIdentity: isAsked,
    announcesOpenly: brief.announcesOpenly ?? false,
    isTriedAgain: brief.isTriedAgain ?? false,
    ...(notices && { notices }),
    ...(brief.recording && { recording: brief.recording }),
    ...(brief.asksConsentFor && { asksConsentFor: brief.asksConsentFor }),
    ...(isByKeys && { byKeys: { isSpoken: !brief.isMute, hasRecordedMenu: tools.recorded("menu") !== null } }),
  };
}

/**
 * Greeting and notices. A text that contains the notices is its own opening. A recording cannot be checked, so the
 * fixed sentence precedes it.
 */
function openingOf(brief: AgentBrief, isRecorded: boolean, isByKeys: boolean): Pick<TalkCall, "greeting" | "notices"> {
  const phrases = phrasesOf(brief);
  const greeting = phrases.greeting(brief);
  if (!brief.notices) return { greeting };
  const { hospital } = brief.notices;
  const noticed = isRecorded ? null : noticedGreeting(brief.greeting, hospital, brief.contactName);
  const [opening, rest] = noticed
    ? [notice("greeting", noticed.head, "caller", "automatic"), noticed.rest]
    : [phrases.opening(hospital), brief.greeting.trim()];
  const { isRecorded: recorded, stopRecordingKey } = phrases;
  const recording = isByKeys
    ? notice(recorded.name, `${recorded.text} ${stopRecordingKey.text}`, "recording")
    : recorded;
  return {
    greeting: isRecorded ? greeting : rest === "" ? null : phrase("greeting", rest),
    notices: { ...brief.notices, opening: brief.recording === "announce" ? [opening, recording] : [opening] },
  };
}

/** Without a voice for the language only notices are spoken, in a language that has one. */
export const phrasesOf = ({ language, isMute }: AgentBrief): Phrases => phrasesIn(isMute ? NOTICES_IN : language);

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
  const context = { call, phrases: phrasesOf(brief), told, now };
  return isLed === null ? context : { ...context, isLed, rules: led?.rules ?? {} };
}

/** Current date and time at the branch. */
function wallClock(nowMs: number, timeZone: string): CallbackTime {
  const { date, minuteOfDay } = wallTime(nowMs, timeZone);
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  return { date, startTime: `${twoDigits(Math.floor(minuteOfDay / 60))}:${twoDigits(minuteOfDay % 60)}` };
}
