// Intent recognition: each rule of the language reads the text in turn and consumes what it matched.
import type { IntentRule, Language } from "./language.ts";
import type { Expecting, Intent, LikelyIntent } from "./meaning.ts";
import { isNotMeant, notMeantIn, type Span } from "./not-meant.ts";
import { readSpan } from "./patterns.ts";

/** Tie-breaker: the intent with the larger consequence comes first. */
const WEIGHTIEST_FIRST: readonly Intent[] = [
  "emergency",
  "alarm_like",
  "screening",
  "machine",
  "do_not_call",
  "not_interested",
  "wrong_number",
  "child_or_relative",
  "not_that_person",
  "stop_recording",
  "person",
  "cancel_appointment",
  "another_time",
  "call_later",
  "slower",
  "louder",
  "repeat",
  "what_is_it_about",
  "who_is_this",
  "callback_number",
  "how_to_stop",
  "hold_on",
  "no",
  "yes",
  "thanks_or_bye",
  "backchannel",
];
const SURE = 0.8;
const FIRST_WORDS = 2;
const SHORT_WORDS = 5;
/** Yes and no in one utterance: the agent asks again. */
const TORN = 0.5;
/** "She said yes", "Press one, said the radio." */
const NOTHING_WHERE_QUOTED: readonly Intent[] = ["yes", "no", "machine"];
/** "Somebody here says never call again" may be meant, so the agent asks. */
const DOUBTED_WHERE_QUOTED: readonly Intent[] = ["do_not_call", "not_interested", "wrong_number"];
const DOUBTED = 0.6;

interface Hit {
  confidence: number;
  /** Position of the last match in the text. */
  at: number;
  /** Position of the first match. */
  firstAt: number;
  isHedged?: true;
}
type Hits = Map<Intent, Hit>;

/** `words`: output of plain-words.ts. */
export function intentsOf(
  words: string,
  asked: Expecting,
  languages: readonly Language[],
  asksBack = false,
): LikelyIntent[] {
  const hits: Hits = new Map();
  const notMeant = notMeantIn(words, languages);
  let unread = words;
  for (const { rules } of languages) for (const rule of rules) unread = readRule(rule, unread, asked, hits, notMeant);
  if (isQuestion(words, languages)) doubtAnswers(hits);
  settleYesAndNo(hits, words);
  hedge(hits, words, asksBack, asked, languages);
  return byWeight(
    [...hits].map(([intent, { confidence, isHedged }]) => ({ intent, confidence, ...(isHedged && { isHedged }) })),
  );
}

export const isQuestion = (words: string, languages: readonly Language[]) =>
  languages.some(({ question }) => question?.test(words));

/** Most likely first. */
export function byWeight(intents: readonly LikelyIntent[]): LikelyIntent[] {
  return intents.toSorted(
    (a, b) => rank(b) - rank(a) || WEIGHTIEST_FIRST.indexOf(a.intent) - WEIGHTIEST_FIRST.indexOf(b.intent),
  );
}

/** An emergency comes first, however weak. Then certain intents by consequence. */
function rank({ intent, confidence }: LikelyIntent): number {
  if (intent === "emergency") return 2;
  return confidence >= SURE ? 1 : confidence;
}

function readRule(
  { says, means, inside, asked: onlyAsked }: IntentRule,
  words: string,
  asked: Expecting,
  hits: Hits,
  notMeant: readonly Span[],
): string {
  if (onlyAsked && !onlyAsked.includes(asked)) return words;
  return words.replace(says(), (span: string, at: number) => {
    const isInside = inside !== undefined && isInLongSentence(words, at, at + span.length);
    const isQuoted = isNotMeant(at, at + span.length, notMeant);
    for (const [intent, plain] of Object.entries(means) as [Intent, number][]) {
      if (isQuoted && NOTHING_WHERE_QUOTED.includes(intent)) continue;
      const confidence = isQuoted && DOUBTED_WHERE_QUOTED.includes(intent) ? Math.min(plain, DOUBTED) : plain;
      const before = hits.get(intent);
      hits.set(intent, {
        confidence: Math.max(isInside ? inside : confidence, before?.confidence ?? 0),
        at: Math.max(at, before?.at ?? 0),
        firstAt: Math.min(at, before?.firstAt ?? at),
      });
    }
    return readSpan(span);
  });
}

/** "Yes" is an answer as the first word, at the end of a short clause, in its own clause, or in a short sentence. */
function isInLongSentence(words: string, at: number, end: number): boolean {
  const before = words.slice(0, at).split(" ").filter(Boolean);
  const isLast = /^[ |]*$/.test(words.slice(end)) && before.length - before.lastIndexOf("|") <= SHORT_WORDS;
  return !isLast && before.length > FIRST_WORDS && before.at(-1) !== "|" && wordCount(words) > SHORT_WORDS;
}

const wordCount = (words: string) => words.split(" ").filter((word) => /[^|]/.test(word)).length;

/** "Is that right?" is not a yes; "Yes, is that all right?" is. */
function doubtAnswers(hits: Hits): void {
  for (const intent of ["yes", "no"] as const) {
    const hit = hits.get(intent);
    if (hit && hit.firstAt > 0) hits.set(intent, hedged(hit));
  }
}

/**
 * Caps the confidence of hedged answers, so that the agent asks: "Okay whatever, I do not know yet", "Yes?".
 * `asksBack`: a question mark.
 */
function hedge(hits: Hits, words: string, asksBack: boolean, asked: Expecting, languages: readonly Language[]): void {
  const isIn = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(words));
  const isBoth = languages.some(({ hedges }) => isIn(hedges.both) || hedges.tag(words));
  // A hedge does not change who they are.
  const isYes = isBoth || (asked !== "identity" && languages.some(({ hedges }) => isIn(hedges.yes)));
  for (const [intent, isHedged] of [
    ["yes", isYes],
    ["no", isBoth],
  ] as const) {
    const hit = hits.get(intent);
    if (hit && isHedged) hits.set(intent, hedged(hit));
    // Recognisers put a question mark after many short answers; "Okay, will the doctor be there?" is a real question.
    else if (hit && asksBack) hits.set(intent, wordCount(words) > SHORT_WORDS ? hedged(hit) : torn(hit));
  }
}

const torn = (hit: Hit): Hit => ({ ...hit, confidence: Math.min(hit.confidence, TORN) });
const hedged = (hit: Hit): Hit => ({ ...torn(hit), isHedged: true });

/** "No, yes, that's fine": the last answer is more likely, and neither is certain. "Yes, but no" is certain. */
function settleYesAndNo(hits: Hits, words: string): void {
  const [yes, no] = [hits.get("yes"), hits.get("no")];
  if (!yes || !no) return;
  hits.delete(yes.at > no.at ? "no" : "yes");
  const last = yes.at > no.at ? yes : no;
  const isContrast = / but /.test(words.slice(Math.min(yes.at, no.at), last.at + 1));
  hits.set(last === yes ? "yes" : "no", { ...last, confidence: isContrast ? last.confidence : TORN });
}
