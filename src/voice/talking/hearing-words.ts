// Meaning of recognised words in the current state, and whether more words are likely to follow.
import type { Recognised } from "../../speech/ears/port.ts";
import { SURE } from "../conversation/confidence.ts";
import type { CallbackTime, TalkState } from "../conversation/model.ts";
import type { Expecting, Hearing, Intent, LikelyIntent, Meaning } from "../understanding/meaning.ts";
import { spokenKey } from "../understanding/spoken-key.ts";
import { understand } from "../understanding/understand.ts";
import { isForMachine } from "./message-moment.ts";
import { closeOf, type Asked, type Ending } from "../turns/end-of-turn.ts";

/**
 * Below this confidence the words are a guess: the agent asks before acting on them. "Stop calling me" in noise came
 * back as "That's fine" with 0.53.
 */
export const GUESSED = 0.55;
const GUESS_IS_WORTH = 0.6;
/**
 * Confidence given to near matches of an alarm, enough to ask; and to unclear words without meaning, which may hide
 * one.
 */
const NEAR = 0.6;
const UNCLEAR = 0.5;
/** Misrecognised cries for help scored below this; understood words mostly score above. */
const CLEAR = 0.6;
/** Intents found in unclear words through misheard numbers: "a snake bite" was "and eight five". */
const GUESSES: readonly Intent[] = ["another_time", "call_later", "backchannel"];

/**
 * Effect of words over the agent: they stop it, pause it until they are understood, leave it speaking, or count as
 * noise.
 */
export type OverUs = "stops" | "pauses" | "heard" | "ignored";

/** An interruption without words is noise; after this many the agent is not stopped again. */
const MOST_STOPS_BY_NOISE = 2;

/** Kind of answer by question; it sets the endpointing pause. */
const ASKED: Readonly<Record<Expecting, Asked>> = {
  identity: "yes_no",
  yes_no: "yes_no",
  choice: "detail",
  day_or_time: "detail",
  callback_time: "detail",
  name: "detail",
  anything: "anything",
};

/** Intents that may precede or accompany a day or time; the rest may follow. */
const LEADS_ON: readonly Intent[] = ["yes", "no", "another_time", "call_later", "backchannel", "thanks_or_bye"];

/** Parameters for understanding words in the current state. */
export function hearingNow(
  { offers, chosen, appointment }: TalkState,
  expecting: Expecting,
  { date: today, startTime: nowTime }: CallbackTime,
  language: string,
): Hearing {
  return { expecting, offers, today, nowTime, lastOffered: chosen ?? offers.at(-1) ?? appointment, language };
}

export function meaningOf(heard: Recognised, hearing: Hearing): Meaning {
  const { text, confidence, alarms } = heard;
  const most = confidence < GUESSED ? GUESS_IS_WORTH : 1;
  const understood = understand(text, hearing);
  const intents = understood.intents.map((each) => ({ ...each, confidence: Math.min(each.confidence, most) }));
  const { choice } = understood;
  return {
    ...understood,
    // The spotter detected the phrase in the audio, whatever the recogniser wrote.
    intents:
      alarms.length > 0 ? [{ intent: "emergency", confidence: 1 }, ...intents] : withSuspicion(intents, heard, hearing),
    choice: choice && { ...choice, confidence: Math.min(choice.confidence, most) },
    key: confidence < GUESSED ? null : spokenKey(text),
  };
}

/** Adds a suspicion when the spotter was unsure or a hypothesis of the recogniser contained a word of danger. */
function withSuspicion(
  intents: readonly LikelyIntent[],
  { confidence, others = [], nearAlarms = [] }: Recognised,
  hearing: Hearing,
): readonly LikelyIntent[] {
  if (intents.some(({ intent }) => intent === "emergency" || intent === "alarm_like")) return intents;
  const isNear = nearAlarms.length > 0 || others.some((other) => isAlarming(other, hearing));
  if (isNear) return [{ intent: "alarm_like", confidence: NEAR }, ...intents];
  const isGuess = intents.every(({ intent, confidence: sure }) => sure <= NEAR && GUESSES.includes(intent));
  return isGuess && confidence < CLEAR ? [{ intent: "alarm_like", confidence: UNCLEAR }, ...intents] : intents;
}

const isAlarming = (text: string, hearing: Hearing): boolean =>
  understand(text, hearing).intents.some(({ intent }) => intent === "emergency" || intent === "alarm_like");

/** Transcript text for unintelligible words. */
export const NOT_CLEAR = "(not clear)";
/**
 * Near match of an alarm found after its turn ended. The agent asks about it, and the transcript does not show it as
 * said. The text contains no word, because "not" would deny the danger.
 */
export const MAY_BE_ALARM: Meaning = {
  text: "…",
  intents: [{ intent: "alarm_like", confidence: NEAR }],
  choice: null,
  moment: null,
};
/** Below this the recogniser invents words: it wrote "I'm not sure that the" for a television behind a cry for help. */
const WORTH_WRITING = 0.45;

/** Transcript text. Guessed words are not attributed to the callee. */
export const writtenOf = ({ text, confidence, alarms }: Recognised): string =>
  confidence < WORTH_WRITING && alarms.length === 0 ? NOT_CLEAR : text;

/** Which voices have a known level. */
export interface KnownVoices {
  hasBackground(): boolean;
}

/**
 * The closing pauses for words over it, which may be an objection. During work and in an emergency the agent only
 * listens. With background voices, only understood words interrupt.
 */
export function overUs(state: TalkState, stopsByNoise: number, voices: KnownVoices): OverUs {
  const { stage, outcome } = state;
  const isQuiet = stopsByNoise < MOST_STOPS_BY_NOISE;
  if (stage === "asking" && isQuiet) return voices.hasBackground() ? "heard" : "stops";
  if (stage === "asking") return "ignored";
  if (isForMachine(state)) return "ignored";
  return stage === "telling" && isQuiet && outcome !== "emergency" ? "pauses" : "heard";
}

export function endingOf(meaning: Meaning | null, expecting: Expecting): Ending {
  const asked = ASKED[expecting];
  return {
    asked,
    isAnswered: meaning !== null && isAnswered(meaning, asked),
    close: closeOf(meaning?.text ?? ""),
  };
}

function isAnswered({ intents, choice, moment }: Meaning, asked: Asked): boolean {
  const sure = intents.filter(({ confidence }) => confidence >= SURE).map(({ intent }) => intent);
  if (asked !== "detail") return sure.some((intent) => intent !== "backchannel");
  const isWhole = moment !== null && moment.date !== null && (moment.time ?? moment.partOfDay) !== null;
  return isWhole || (choice?.confidence ?? 0) >= SURE || sure.some((intent) => !LEADS_ON.includes(intent));
}
