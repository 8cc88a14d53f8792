// Finds the offer the callee chose: by number, by day or time, or by a distinguishing feature. An ambiguous choice is
// no choice: the agent asks.
import { dayOfMonth } from "./moments/calendar-days.ts";
import { partOf, type SaidMoment } from "./moments/moment.ts";
import { writeNumbers } from "./moments/numbers.ts";
import type { Hearing, HeardOffer, Intent, LikelyIntent, Meaning } from "./meaning.ts";
import { weekdayOf } from "../../core/zones.ts";

export type Choice = NonNullable<Meaning["choice"]>;

const PLAIN = 0.93;
/** The agent confirms such a choice before booking. */
const WEAK = 0.6;

/** These intents rule out a choice. */
const NOT_CHOOSING: readonly Intent[] = [
  "emergency",
  "repeat",
  "person",
  "cancel_appointment",
  "do_not_call",
  "wrong_number",
  "hold_on",
  "what_is_it_about",
  "who_is_this",
  "machine",
  "screening",
];

const NONE = / (?:none|neither|not any|nothing)(?= )/;
const DENIED_ORDINAL =
  /(?: (?:not|except|instead of|rather than|but not)) (?:the )?(?:\d+(?:st|nd|rd|th)|last)(?: one| option| slot)?(?= )/g;
const ORDINAL =
  / (?<number>\d+)(?:st|nd|rd|th)(?! (?:of|thing|time|floor|available|\d|january|february|march|april|may|june|july|august|september|october|november|december))(?= )/g;
const OF_OFFER = /^ (?:one|option|slot|choice|offer|of (?:those|these|them))(?= )/;
const NUMBERED = / (?:number|option|choice|slot|no) (?<number>\d)(?= )/g;
const LETTERED = / (?:option|choice|slot|letter) (?<letter>[a-e])(?= )/g;
const ALONE =
  /^(?: (?:the|okay|yes|yeah|i|will|take|would|like|want|go|for|with|prefer|choose|number|option))* (?<number>[1-9])(?: (?:is|fine|good|okay|one|then|works|\||thanks|thank|you))* $/;

const LAST = / (?:the )?(?:last|final|latter)(?: one| option| slot)?(?= )/;
const FORMER = / former(?= )/;
const MIDDLE = / middle(?: one)?(?= )/;
const OTHER = / (?:the )?other(?: one| option| slot)?(?= )/;
const EARLIEST = / (?:earlier|earliest|early one|soonest|sooner|1st available|as soon as possible|quickest)(?= )/;
const LATEST = / (?:later|latest|late one)(?= )/;
const ANY =
  / (?:either|any(?: of (?:them|those|these|the))?|anyone|any one|whichever|whatever|both|you (?:choose|pick|decide)|up to you|does not matter|do not care|all (?:are|is) (?:fine|good|okay)|anything (?:is|works))(?= )/;
const THAT_ONE = / (?:that one|this one|that|it|that slot|this slot)(?= )/;
/** "It" alone occurs in too many sentences to be a choice. */
const THAT_ONE_OF_SEVERAL =
  / (?:(?:that|this) (?:one|slot)|(?:take|book|have|for|with|prefer|want) (?:that|this|it))(?= )/;

export function chosenOffer(
  words: string,
  said: SaidMoment | null,
  intents: readonly LikelyIntent[],
  hearing: Hearing,
  isQuestion: boolean,
): Choice | null {
  const { offers } = hearing;
  const top = intents[0]?.intent;
  if (offers.length === 0 || (top && NOT_CHOOSING.includes(top))) return null;
  const text = writeNumbers(words).replaceAll(DENIED_ORDINAL, " ~");
  if (NONE.test(text)) return null;
  const left = candidates(text, said, hearing);
  if (left === null) return unnamed(text, intents, hearing);
  const [index] = left;
  if (left.length !== 1 || index === undefined) return null;
  const isSure = top !== "another_time" && top !== "no" && !isQuestion;
  return { index, confidence: isSure ? PLAIN : WEAK };
}

/** Indexes of the offers that match; null if the words do not refer to the offers. */
function candidates(text: string, said: SaidMoment | null, { offers, lastOffered }: Hearing): number[] | null {
  const named: ((offer: HeardOffer, index: number) => boolean)[] = [];
  const numbers = numbersIn(text, offers, said);
  if (numbers.length > 0) named.push((_, index) => numbers.every((number) => number === index + 1));
  else if (said) named.push((offer) => fitsMoment(offer, said));
  if (LAST.test(text)) named.push((_, index) => index === offers.length - 1);
  if (FORMER.test(text)) named.push((_, index) => index === 0 && offers.length === 2);
  if (MIDDLE.test(text)) named.push((_, index) => index === 1 && offers.length === 3);
  if (OTHER.test(text) && lastOffered) named.push((offer) => offers.length === 2 && !isSame(offer, lastOffered));
  const left = offers.flatMap((offer, index) => (named.every((fits) => fits(offer, index)) ? [index] : []));
  const inOrder = left.toSorted((a, b) => instantOf(offers[a]).localeCompare(instantOf(offers[b])));
  if (EARLIEST.test(text)) return inOrder.slice(0, 1);
  if (LATEST.test(text)) return inOrder.slice(-1);
  return named.length > 0 ? left : null;
}

/** "Two" may be the second offer or two o'clock: keeps both, so that the agent asks. */
function numbersIn(text: string, offers: readonly HeardOffer[], said: SaidMoment | null): number[] {
  const alone = ALONE.exec(text)?.groups?.["number"];
  if (alone !== undefined && Number(alone) <= offers.length) {
    const byTime = said ? offers.findIndex((offer) => fitsMoment(offer, said)) + 1 : 0;
    return byTime > 0 && byTime !== Number(alone) ? [Number(alone), byTime] : [Number(alone)];
  }
  // "The first" may be the 1st of a month; "the first one" is always an offer.
  const isOfOffer = (number: number, after: string) =>
    OF_OFFER.test(after) || !offers.some(({ date }, index) => dayOfMonth(date) === number && index !== number - 1);
  const ordinals = [...text.matchAll(ORDINAL)]
    .map((found) => ({ number: Number(found.groups?.["number"]), after: text.slice(found.index + found[0].length) }))
    .filter(({ number, after }) => number <= offers.length && isOfOffer(number, after))
    .map(({ number }) => number);
  const numbered = [...text.matchAll(NUMBERED)].map(({ groups }) => Number(groups?.["number"]));
  const lettered = [...text.matchAll(LETTERED)].map(({ groups }) => "abcde".indexOf(groups?.["letter"] ?? "") + 1);
  return [...ordinals, ...numbered, ...lettered];
}

/** Nothing in the words distinguishes the offers. */
function unnamed(
  text: string,
  intents: readonly LikelyIntent[],
  { offers, lastOffered, expecting }: Hearing,
): Choice | null {
  const means = (intent: Intent) => intents.some((likely) => likely.intent === intent);
  if (means("no") || means("another_time")) return null;
  if (offers.length === 1) return means("yes") || THAT_ONE.test(text) ? { index: 0, confidence: PLAIN } : null;
  if (expecting !== "choice") return null;
  if (ANY.test(text)) return { index: 0, confidence: WEAK };
  const index = lastOffered ? offers.findIndex((offer) => isSame(offer, lastOffered)) : -1;
  const isThatOne = THAT_ONE_OF_SEVERAL.test(text) || (means("yes") && text.includes(" that "));
  return index >= 0 && isThatOne ? { index, confidence: WEAK } : null;
}

/** Whether an offer matches the named day and time. */
export function fitsMoment({ date, startTime }: HeardOffer, { moment, bareWeekday }: SaidMoment): boolean {
  if (moment.conflict) return false;
  if (bareWeekday !== null && weekdayOf(date) !== bareWeekday) return false;
  if (bareWeekday === null && moment.date !== null && (date < moment.date || date > (moment.dateEnd ?? moment.date)))
    return false;
  if (moment.time !== null) return moment.isAfter ? startTime >= moment.time : startTime === moment.time;
  return moment.partOfDay === null || moment.partOfDay === partOf(startTime);
}

const isSame = (one: HeardOffer, other: HeardOffer) => one.date === other.date && one.startTime === other.startTime;
const instantOf = (offer: HeardOffer | undefined) => (offer ? `${offer.date} ${offer.startTime}` : "");

/** Whether the words are just an offer number that could also be an hour: "two" means the second offer. */
export const isNumberOfOffer = (words: string, { offers }: Hearing) =>
  Number(ALONE.exec(writeNumbers(words))?.groups?.["number"] ?? Infinity) <= offers.length;
