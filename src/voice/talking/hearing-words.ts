// From recognised words to what they meant here and now, and to whether more of them will come.
import type { Recognised } from "../../speech/ears/port.ts";
import { SURE } from "../conversation/confidence.ts";
import type { CallbackTime, TalkState } from "../conversation/model.ts";
import type { Expecting, Hearing, Intent, LikelyIntent, Meaning } from "../understanding/meaning.ts";
import { spokenKey } from "../understanding/spoken-key.ts";
import { understand } from "../understanding/understand.ts";
import { isForMachine } from "./message-moment.ts";
import { closeOf, type Asked, type Ending } from "../turns/end-of-turn.ts";

/**
 * Below this the recogniser guesses; what follows from its words is asked after, never done. "Stop calling me" in noise
 * came back as "That's fine" with 0.53.
 */
export const GUESSED = 0.55;
const GUESS_IS_WORTH = 0.6;
/**
 * Of what only sounds like an alarm: enough to be asked after. And of words that were unclear, and mean nothing: they
 * may be one.
 */
const NEAR = 0.6;
const UNCLEAR = 0.5;
/** Cries that came out as other words did so below it; what is understood is mostly above. */
const CLEAR = 0.6;
/** Read into unclear words where numbers are heard in them: "a snake bite" was "and eight five". */
const GUESSES: readonly Intent[] = ["another_time", "call_later", "backchannel"];

/**
 * What comes of words over ours: they stop us, they stop us until they are understood, we go on, or they count as
 * noise.
 */
export type OverUs = "stops" | "pauses" | "heard" | "ignored";

/** What stops us without a word is noise; the third time it does not stop us again. */
const MOST_STOPS_BY_NOISE = 2;

/** How long an answer to it may be thought about. */
const ASKED: Readonly<Record<Expecting, Asked>> = {
  identity: "yes_no",
  yes_no: "yes_no",
  choice: "detail",
  day_or_time: "detail",
  callback_time: "detail",
  name: "detail",
  anything: "anything",
};

/** Said on the way to a day or a time, or beside it; the rest may follow. */
const LEADS_ON: readonly Intent[] = ["yes", "no", "another_time", "call_later", "backchannel", "thanks_or_bye"];

/** How words are to be read at this point of the conversation. */
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
    // The spotter heard the sound itself, whatever the recogniser made of it.
    intents:
      alarms.length > 0 ? [{ intent: "emergency", confidence: 1 }, ...intents] : withSuspicion(intents, heard, hearing),
    choice: choice && { ...choice, confidence: Math.min(choice.confidence, most) },
    key: confidence < GUESSED ? null : spokenKey(text),
  };
}

/** The spotter was not sure, or a word of danger was among what the recogniser might have written: worth a question. */
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

/** In place of words that nobody could make out. */
export const NOT_CLEAR = "(not clear)";
/**
 * What sounded like an alarm, after its turn was taken: asked after, and written nowhere as if it had been said. Its
 * text has no word in it: "not" would deny the danger.
 */
export const MAY_BE_ALARM: Meaning = {
  text: "…",
  intents: [{ intent: "alarm_like", confidence: NEAR }],
  choice: null,
  moment: null,
};
/**
 * Below it the recogniser made the words up: of a television behind a cry for help it wrote "I'm not sure that the".
 */
const WORTH_WRITING = 0.45;

/** What stands in the transcript. Nobody is said to have said what was only guessed. */
export const writtenOf = ({ text, confidence, alarms }: Recognised): string =>
  confidence < WORTH_WRITING && alarms.length === 0 ? NOT_CLEAR : text;

/** Which voices are known by their level. */
export interface KnownVoices {
  hasBackground(): boolean;
  knowsCaller(): boolean;
}

/**
 * Our last words wait for what is said over them: it may be an objection. Beside work, and in danger, we only listen.
 * Where other voices are heard, only a caller whose level is known stops us.
 */
export function overUs(state: TalkState, stopsByNoise: number, voices: KnownVoices): OverUs {
  const { stage, outcome } = state;
  const isQuiet = stopsByNoise < MOST_STOPS_BY_NOISE;
  const isToldApart = !voices.hasBackground() || (voices.knowsCaller() && stopsByNoise === 0);
  if (stage === "asking" && isQuiet) return isToldApart ? "stops" : "heard";
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
