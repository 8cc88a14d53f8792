// Guard for text written by a language model, applied before synthesis. Pure. Allow list: a part is a courtesy, or all
// its words occur in one sentence of the owner's text or answers, in one fact of the call, or in what was done on the
// call. The first rejected clause ends the answer.
import { languageNamed } from "../../speech/languages.ts";
import * as inHindi from "../../speech/tts/hindi/spoken-time.ts";
import * as inEnglish from "../../speech/tts/spoken-time.ts";
import type { KnownAppointment, SlotOffer } from "../../calendar/desk-port.ts";
import type { Facts } from "./data.ts";
import { VOCABULARIES, type Vocabulary } from "./vocabulary.ts";

/** Sources of permitted statements. */
export interface Known {
  isContact: boolean;
  /** As written by the agent's owner, with fact names in double braces. */
  ownText: string;
  /** Approved answers in the language of the call. */
  answers: readonly string[];
  facts: Facts;
  names: readonly string[];
  appointment: KnownAppointment | null;
  offers: readonly SlotOffer[];
  today: string;
  /** BCP 47 tag of the call's language. */
  language: string;
  /** Result of the call so far. */
  settled: string | null;
}

/** `untrue`: replaced by a fixed line (conversation/truthful.ts). */
export type Stop = "untrue" | "identity" | "placeholder" | "script" | "ungrounded";
export type Guarded = { text: string } | { stop: Stop };

/** Longer facts are not read out. */
const LONGEST_SPOKEN_FACT = 80;
/** Owner texts have up to 32,000 characters; this bounds the sentences searched. */
const MOST_SOURCES = 400;

/** Statements that become true with an outcome. */
const DONE: Readonly<Record<string, readonly string[]>> = {
  confirmed: ["your appointment is confirmed", "आपका अपॉइंटमेंट पक्का है"],
  booked: ["your appointment is booked", "आपका अपॉइंटमेंट बुक है"],
  rescheduled: ["your appointment is moved", "your appointment is rescheduled"],
  waitlisted: ["you are on the waiting list"],
};

/** Checks one clause. Returns its text, or the reason it was rejected. */
export function guarded(written: string, known: Known): Guarded {
  if (!known.isContact) return { stop: "identity" };
  const { text, marked } = filled(written, known);
  if (/[{}]/.test(marked)) return { stop: "placeholder" };
  const language = languageNamed(known.language);
  const vocabulary = language && VOCABULARIES[language];
  if (!vocabulary?.script.test(withoutMarks(marked))) return { stop: "script" };
  const sources = sourcesOf(known, vocabulary);
  const isFit = (part: string) => isGrounded(part, sources, vocabulary);
  const isSpoken = isFit(marked) || partsOf(marked).every(isFit);
  return isSpoken ? { text } : { stop: "ungrounded" };
}

/** Marks replace the values of templates and fields: ⟦t⟧ a time, ⟦f⟧ a fact, ⟦name⟧ the callee. */
const withoutMarks = (text: string): string => text.replaceAll(/⟦\w+⟧/g, " ");
const partsOf = (text: string): string[] =>
  text
    .split(/[.,;:!?।…–—]+(?=\s|$)/u)
    .map((part) => part.trim())
    .filter((part) => part !== "");

const wordsIn = (text: string): string[] =>
  text.match(/⟦\w+⟧|[\p{L}\p{M}\p{N}]+(?:['’.:/-][\p{L}\p{M}\p{N}]+)*/gu) ?? [];
/** The callee's name is allowed in courtesies only, where it claims nothing. */
const isMark = (word: string): boolean => word === "⟦t⟧" || word === "⟦f⟧";

/** Treats inflections of a word as equal. */
const stem = (word: string): string => word.replace(/(?<=\p{L}{3})(?:ing|ed|es|s|e)$/u, "");

interface Source {
  stems: ReadonlySet<string>;
  isNegated: boolean;
}

const sourceOf = (sentence: string, { negations }: Vocabulary, isLeftOut = (_: string): boolean => false): Source => {
  const words = wordsIn(sentence.toLowerCase());
  return {
    stems: new Set(words.filter((word) => !isLeftOut(word)).map(stem)),
    isNegated: words.some((word) => negations.has(word)),
  };
};

/** Cached per answer, because its clauses share the sources. */
const found = new WeakMap<Known, Source[]>();

function sourcesOf(known: Known, vocabulary: Vocabulary): Source[] {
  const before = found.get(known);
  if (before) return before;
  const sources = findSources(known, vocabulary);
  found.set(known, sources);
  return sources;
}

function findSources(known: Known, vocabulary: Vocabulary): Source[] {
  const { ownText, answers, settled } = known;
  const statements = sentencesOf(ownText).filter((sentence) => isStatement(sentence.toLowerCase(), vocabulary));
  const isAction = (word: string) => vocabulary.actions.test(word);
  return [
    ...statements.slice(0, MOST_SOURCES).map((sentence) => sourceOf(marks(sentence), vocabulary, isAction)),
    ...answers.flatMap(sentencesOf).map((sentence) => sourceOf(sentence, vocabulary)),
    ...(DONE[settled ?? ""] ?? []).map((sentence) => sourceOf(sentence, vocabulary)),
    // For parts made of facts only: "You see Dr Rao."
    sourceOf("", vocabulary),
  ];
}

const marks = (sentence: string): string => sentence.replaceAll(/\{\{[^{}]*\}\}/g, "⟦f⟧");

/** Instructions to the agent and conditional sentences are not statements for the callee. */
function isStatement(sentence: string, { statement, toAgent, conditions }: Vocabulary): boolean {
  return statement.test(sentence) && !toAgent.test(sentence) && !conditions.test(sentence);
}

const sentencesOf = (text: string): string[] =>
  text
    .normalize("NFKC")
    .split(/(?<=[.!?।])\s+|\n+/u)
    .map((sentence) => sentence.replace(/^\s*(?:[-*•]|\d+[.)])\s*/, "").trim())
    .filter((sentence) => sentence !== "");

function isGrounded(part: string, sources: readonly Source[], vocabulary: Vocabulary): boolean {
  const words = wordsIn(part.toLowerCase());
  const plain = words.join(" ");
  if (words.length === 0 || vocabulary.courtesies.some((courtesy) => courtesy.test(plain))) return true;
  const isNegated = words.some((word) => vocabulary.negations.has(word));
  return sources.some((source) => {
    if (source.isNegated !== isNegated) return false;
    const isTold = words.some((word) => isMark(word) || (!vocabulary.glue.has(word) && source.stems.has(stem(word))));
    const isJoined = (word: string) => isMark(word) || vocabulary.glue.has(word) || source.stems.has(stem(word));
    return isTold && words.every(isJoined);
  });
}

interface Filled {
  text: string;
  /** The same with field values replaced by marks. */
  marked: string;
}

function filled(written: string, known: Known): Filled {
  const spoken = languageNamed(known.language) === "hi" ? inHindi : inEnglish;
  const moments = new Map<string, string>([["today", spoken.spokenDate(known.today)]]);
  if (known.appointment) moments.set("appointment", spoken.spokenMoment(known.appointment));
  for (const offer of known.offers) moments.set(offer.label.toLowerCase(), spoken.spokenMoment(offer));
  // A fact may be spoken only if the owner's text names it.
  const isNamed = (name: string) => new RegExp(`\\{\\{\\s*${escaped(name)}\\s*\\}\\}`, "u").test(known.ownText);
  const facts = Object.entries(known.facts).filter(
    ([name, value]) => isNamed(name) && value.length <= LONGEST_SPOKEN_FACT,
  );
  const valueOf = (name: string): string | undefined =>
    moments.get(name.toLowerCase()) ??
    facts.find(([known]) => known === name)?.[1] ??
    (isName(name.toLowerCase()) ? known.names[0] : undefined);
  const text = written
    .normalize("NFKC")
    .replaceAll(/\{\{\s*([^{}]{1,64}?)\s*\}\}/g, (whole, name: string) => valueOf(name) ?? whole)
    .replaceAll(/[⟦⟧\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  const mark = (rest: string, values: readonly string[], sign: string, flags = "giu") =>
    values.reduce((marked, value) => (value === "" ? marked : marked.replaceAll(wholly(value, flags), sign)), rest);
  let marked = mark(text, [...moments.values()], "⟦t⟧");
  marked = mark(
    marked,
    facts.map(([, value]) => value),
    "⟦f⟧",
  );
  return { text, marked: mark(marked, known.names, "⟦name⟧", "gu") };
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
/** Matches whole words. */
const wholly = (value: string, flags: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])${escaped(value)}(?![\\p{L}\\p{M}\\p{N}])`, flags);

const isName = (key: string): boolean => ["name", "user_name", "callee", "contact_name"].includes(key);
