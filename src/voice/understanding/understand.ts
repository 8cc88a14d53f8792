// Meaning of an utterance: from the words and the question before them to intents, a chosen offer, and a day or time.
// Pure: no clock, no model server, no state between calls.
import { weekdayOf } from "../../core/zones.ts";
import { chosenOffer, fitsMoment, isNumberOfOffer } from "./choices.ts";
import { byWeight, intentsOf, isQuestion } from "./intents.ts";
import { languagesOf } from "./languages.ts";
import type { Hearing, LikelyIntent, Meaning, Moment } from "./meaning.ts";
import { isAhead } from "./moments/said-days.ts";
import { momentOf, type SaidMoment } from "./moments/moment.ts";
import { plainWords } from "./plain-words.ts";

/** Likely; the agent asks for confirmation. */
const WEAK = 0.6;
const TORN = 0.5;

export function understand(text: string, hearing: Hearing): Meaning {
  const languages = languagesOf(hearing.language);
  const words = languages.reduce((spelt, language) => language.respelt(spelt), plainWords(text));
  const inEnglish = languages.reduce((dates, language) => language.inEnglishDates(dates), words);
  const said = onOfferedDay(momentOf(inEnglish, hearing), hearing);
  const intents =
    words.trim() === "" ? soundsOf(text) : intentsOf(words, hearing.expecting, languages, /[?؟]/.test(text));
  const choice = chosenOffer(inEnglish, said, intents, hearing, isQuestion(words, languages));
  const isNumber = choice !== null && isNumberOfOffer(inEnglish, hearing);
  return {
    text,
    intents: said ? withMoment(intents, said, hearing, inEnglish) : intents,
    choice,
    moment: said && !isNumber ? agreedMoment(intents, said, hearing) : null,
  };
}

/** "Oh", "ah": backchannels. */
const soundsOf = (text: string): LikelyIntent[] =>
  /\p{L}/u.test(text) ? [{ intent: "backchannel", confidence: WEAK }] : [];

/** "Yes, next week is fine" accepts the offered day of next week. */
function agreedMoment(
  [first]: readonly LikelyIntent[],
  said: SaidMoment,
  { expecting, lastOffered, today }: Hearing,
): Moment {
  const isAgreed =
    expecting === "yes_no" && first?.intent === "yes" && lastOffered !== null && fitsMoment(lastOffered, said);
  if (said.moment.dateEnd === null || !isAgreed || !isAhead(lastOffered.date, today)) return said.moment;
  return { ...said.moment, date: lastOffered.date, dateEnd: null };
}

/** "Thursday" refers to an offer on a Thursday, if there is one. */
function onOfferedDay(said: SaidMoment | null, { offers, lastOffered, today }: Hearing): SaidMoment | null {
  if (!said || said.bareWeekday === null) return said;
  const named = [...offers, ...(lastOffered ? [lastOffered] : [])].filter(
    ({ date }) => weekdayOf(date) === said.bareWeekday && isAhead(date, today),
  );
  const [date, ...others] = new Set(named.map((offer) => offer.date));
  return date === undefined || others.length > 0 ? said : { ...said, moment: { ...said.moment, date } };
}

/** Noise is often recognised as numbers, but not as these words. */
const NAMED_DAY = / (?:today|tonight|tomorrow|morning|afternoon|evening|week|weekend|\w+day)(?= )/;

/** A day in answer to a yes-or-no question: the offered day means yes; another day overrides a yes. */
function withMoment(
  intents: readonly LikelyIntent[],
  said: SaidMoment,
  { expecting, lastOffered }: Hearing,
  words: string,
): readonly LikelyIntent[] {
  // A day in answer to the identity question means that they have no time now. It is read back before it counts.
  if (expecting === "identity" && intents.length === 0 && NAMED_DAY.test(words)) {
    return [{ intent: "call_later", confidence: WEAK }];
  }
  if (expecting !== "yes_no") return intents;
  const isOffered = lastOffered !== null && fitsMoment(lastOffered, said);
  if (intents.length === 0) return [{ intent: isOffered ? "yes" : "another_time", confidence: WEAK }];
  const isYesToAnother = lastOffered !== null && !isOffered && intents.some(({ intent }) => intent === "yes");
  if (!isYesToAnother) return intents;
  const doubted = intents.map((likely) => (likely.intent === "yes" ? { ...likely, confidence: TORN } : likely));
  const hasAnotherTime = intents.some(({ intent }) => intent === "another_time");
  return byWeight(hasAnotherTime ? doubted : [...doubted, { intent: "another_time", confidence: WEAK }]);
}
