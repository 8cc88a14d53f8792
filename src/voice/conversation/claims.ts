// Finds sentences in which the agent would claim to be human, claim a consent to record, or claim to have given a
// notice. Pure. English, Hindi, and Hindi in Latin letters. Case, accents and punctuation do not matter.
import { lazily } from "../../core/lazily.ts";
import { CLAIM_RULES, LISTS, NEGATIONS, type Claim, type ClaimRule } from "./claim-patterns.ts";

export type { Claim } from "./claim-patterns.ts";

export interface Claimed {
  claim: Claim;
  /** Index of the first and the last sentence. */
  from: number;
  to: number;
}

interface Word {
  text: string;
  sentence: number;
  endsClause: boolean;
}

type Step =
  | { kind: "words"; words: ReadonlySet<string>; least: number; most: number }
  | { kind: "gap" }
  | { kind: "clauseStart" }
  | { kind: "clauseEnd" }
  | { kind: "without"; words: ReadonlySet<string> };

interface Pattern {
  rule: ClaimRule;
  steps: readonly Step[];
}

/** Texts that claim nothing, with the hospital's name. */
const HARMLESS = new Set<string>();
const MOST_HARMLESS = 200;
const MOST_OF_LIST = 3;
const MOST_BETWEEN = 6;
const REFUSED_WITHIN = 3;

const setOf = (words = ""): ReadonlySet<string> => new Set(words.split(" ").map(plainLetters));
const NO = setOf(NEGATIONS);
const COMMON = setOf(
  "this not are is you we it call speaking talking calling said with what who how know before ye yeh yah main mai hum under",
);

export const claimSentences = (text: string): string[] =>
  text.split(/(?<=[.!?।…]["'”’)\]]*)\s+|\n+/u).filter((sentence) => sentence.trim() !== "");

/** `hospital`: its words claim nothing ("Human Care Hospital"). */
export function claimsIn(sentences: readonly string[], hospital: string | null): Claimed[] {
  const name = hospital === null ? "" : plainLetters(hospital).trim();
  // A single word could hide a claim.
  const isNamed = name.includes(" ");
  const letters = sentences.map((sentence) => {
    const plain = plainLetters(sentence);
    return isNamed ? plain.replaceAll(name, "hospital") : plain;
  });
  if (!isTelling(letters.join("\n"))) return [];
  // "hu-man" is one word, and "a-human" are two.
  const joined = letters.map(withoutMarksInWords);
  const isSame = joined.every((sentence, i) => sentence === letters[i]);
  return [letters, ...(isSame ? [] : [joined])].flatMap((each) => claimsOf(withoutAsides(each.flatMap(wordsOf))));
}

/** Whether the text claims nothing. Remembered, because most phrases recur in every call. */
export function isHarmless(text: string, hospital: string | null): boolean {
  const key = `${hospital}\n${text}`;
  if (HARMLESS.has(key)) return true;
  if (claimsIn(claimSentences(text), hospital).length > 0) return false;
  if (HARMLESS.size >= MOST_HARMLESS) HARMLESS.clear();
  HARMLESS.add(key);
  return true;
}

function claimsOf(words: readonly Word[]): Claimed[] {
  const claims: Claimed[] = [];
  for (const [from, { text, sentence }] of words.entries()) {
    for (const { rule, steps } of PATTERNS().get(text) ?? []) {
      const to = endOf(steps, 0, words, from);
      if (to === null || !isClaim(rule, words, from, to)) continue;
      claims.push({ claim: rule.claim, from: sentence, to: words[to - 1]?.sentence ?? sentence });
    }
  }
  return claims;
}

/** Index after the last word of the match. */
function endOf(steps: readonly Step[], index: number, words: readonly Word[], at: number): number | null {
  const step = steps[index];
  if (!step) return at;
  const next = (from: number): number | null => endOf(steps, index + 1, words, from);
  const isAfterClause = words[at - 1]?.endsClause ?? true;
  if (step.kind === "clauseStart") return isAfterClause ? next(at) : null;
  if (step.kind === "clauseEnd") return isAfterClause || at === words.length ? next(at) : null;
  if (step.kind === "without") return !isAfterClause && step.words.has(words[at]?.text ?? "") ? null : next(at);
  const [least, most] = step.kind === "gap" ? [0, MOST_BETWEEN] : [step.least, step.most];
  let count = 0;
  while (count < most && at + count < words.length) {
    const text = words[at + count]?.text ?? "";
    if (step.kind === "gap" ? NO.has(text) || words[at + count - 1]?.endsClause : !step.words.has(text)) break;
    count++;
  }
  for (; count >= least; count--) {
    const end = next(at + count);
    if (end !== null) return end;
  }
  return null;
}

function isClaim({ notAfter, notWith, isRefusable }: ClaimRule, words: readonly Word[], from: number, to: number) {
  const before = words[from - 1];
  if (before && !before.endsClause && setNamed(notAfter).has(before.text)) return false;
  // "Here I am. A person will call you." is no claim.
  const isAcross = words[from]?.sentence !== words[to - 1]?.sentence;
  if (isAcross && to < words.length && !words[to - 1]?.endsClause) return false;
  if (notWith !== undefined) {
    let start = from;
    while (start > 0 && !words[start - 1]?.endsClause) start--;
    if (words.slice(start, to).some(({ text }) => setNamed(notWith).has(text))) return false;
  }
  for (let at = to; isRefusable && at < to + REFUSED_WITHIN && !words[at - 1]?.endsClause; at++)
    if (NO.has(words[at]?.text ?? "")) return false;
  return true;
}

const sets = new Map<string, ReadonlySet<string>>();

function setNamed(words = ""): ReadonlySet<string> {
  const known = sets.get(words) ?? setOf(words);
  sets.set(words, known);
  return known;
}

/** A word without which no pattern matches; a short check, because most phrases have none. */
const TELLING = lazily((): RegExp => {
  const words = new Set([...PATTERNS().values()].flat().flatMap(({ steps }) => rarestWords(steps).map(squeezed)));
  return new RegExp([...words].join("|"), "u");
});

const isTelling = (plain: string): boolean => TELLING().test(squeezed(plain));

/** However the words are spelled, drawn out or divided. */
const squeezed = (plain: string): string => plain.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "").replaceAll(/(.)\1+/gu, "$1");

/** Of the steps that must be there, the one that is rarest in speech: uncommon words, and long ones. */
function rarestWords(steps: readonly Step[]): string[] {
  const lengthOf = (words: readonly string[]) => words.join("").length / words.length;
  const rarity = (words: readonly string[]) => lengthOf(words) / (words.some((word) => COMMON.has(word)) ? 100 : 1);
  return steps
    .flatMap((step) => (step.kind === "words" && step.least > 0 ? [[...step.words]] : []))
    .reduce((rarest, words) => (rarity(words) > rarity(rarest) ? words : rarest));
}

/** By their first word. */
const PATTERNS = lazily((): ReadonlyMap<string, readonly Pattern[]> => {
  const byWord = new Map<string, Pattern[]>();
  for (const rule of CLAIM_RULES) {
    for (const source of rule.says) {
      const steps = stepsOf(source);
      for (const word of firstWords(steps)) byWord.set(word, [...(byWord.get(word) ?? []), { rule, steps }]);
    }
  }
  return byWord;
});

/** Up to the first word that must be there. */
function firstWords(steps: readonly Step[]): Set<string> {
  const words = new Set<string>();
  for (const step of steps) {
    if (step.kind !== "words") continue;
    for (const word of step.words) words.add(word);
    if (step.least > 0) break;
  }
  return words;
}

function stepsOf(source: string): Step[] {
  const isFirst = source.startsWith("^");
  const steps = (isFirst ? source.slice(1) : source).split(" ").map(stepOf);
  return isFirst ? [{ kind: "clauseStart" }, ...steps] : steps;
}

function stepOf(token: string): Step {
  if (token === "...") return { kind: "gap" };
  if (token === "$") return { kind: "clauseEnd" };
  const [, isWithout, list, end] = /^(-?)\{(.+)\}([?*]?)$/.exec(token) ?? [];
  const words = list === undefined ? setOf(token.replace("?", "").replaceAll("|", " ")) : setNamed(LISTS[list]);
  if (isWithout) return { kind: "without", words };
  const isOptional = token.endsWith("?") || end === "*";
  return { kind: "words", words, least: isOptional ? 0 : 1, most: end === "*" ? MOST_OF_LIST : 1 };
}

/** Lower case, without accents, nuktas and invisible characters. */
function plainLetters(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase().replaceAll(/ {2,}/g, " ");
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f\u093c\p{Cf}]/gu, "")
    .replaceAll("\u0901", "\u0902")
    .replaceAll(/\s+/g, " ");
}

const withoutMarksInWords = (text: string): string =>
  text.replaceAll(/(?<=[\p{L}\p{M}\p{N}])[^\p{L}\p{M}\p{N}\s]+(?=[\p{L}\p{M}\p{N}])/gu, "");

/** Two words that fit anywhere. */
function withoutAsides(words: readonly Word[]): Word[] {
  const isAside = (at: number) => /^(?:of course|in fact)$/.test(`${words[at]?.text} ${words[at + 1]?.text}`);
  return words.filter((_, at) => !isAside(at) && !isAside(at - 1));
}

/** Spelled and long-drawn words are written as usual: "a h u m a n", "huuuman". */
function wordsOf(text: string, sentence: number): Word[] {
  const spaced = text
    .replaceAll(/(\p{L})\1{2,}/gu, "$1")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, (between) => (/[,;:.!?()–—-]\s|\s[–—-]/u.test(between) ? " , " : " "))
    .replaceAll(/(?<=^| )\p{L}(?: \p{L}){3,}(?= |$)/gu, (spelled) => spelled.replaceAll(/(?<!^a) /g, ""));
  const words: Word[] = [];
  for (const part of spaced.split(" ")) {
    const last = words.at(-1);
    if (part === ",") {
      if (last) last.endsClause = true;
    } else if (part !== "") words.push({ text: part, sentence, endsClause: false });
  }
  const last = words.at(-1);
  if (last) last.endsClause = true;
  return words;
}
