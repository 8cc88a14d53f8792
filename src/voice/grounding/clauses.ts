// Splits an utterance into clauses with their qualifiers: negation, question, condition, reported speech.
import { plainWords } from "../understanding/plain-words.ts";

export interface SaidClause {
  words: readonly string[];
  isQuestion: boolean;
  /** Words that change the meaning of the clause. */
  qualifiers: readonly string[];
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const NEGATIONS = set(
  "no not never none nothing nobody neither nor without nope nah cannot hardly nahi nahin nahee mat na bina नहीं मत ना न बिना कभी",
);
const CONDITIONS = set(
  "if unless whether maybe perhaps might could would should possibly suppose imagine pretend say write note repeat agar shayad yadi maan अगर शायद यदि मान",
);
const REPORTS = set(
  "said says told tells claims claimed thinks thought believes heard rumour rumor kehta kehti kaha bola boli कहा कहता कहती बोला बोली",
);
/** The clause is about another person, not the callee. */
const OTHERS = set(
  "father mother wife husband son daughter brother sister neighbour neighbor friend cousin aunt uncle grandfather grandmother nephew niece boss dog pita maa patni pati beta beti bhai behen पिता माँ पत्नी पति बेटा बेटी भाई बहन",
);
/** The clause describes a past state. */
const ENDED = set("gone stopped ended over former used previously earlier cured");

const ASKING = set(
  "what when where who whom whose why which how is are am was were do does did can could will would shall should may has have kya kab kahan kaun kyun kaise kitna kitne kitni क्या कब कहाँ कहां कौन क्यों कैसे कितना कितने कितनी",
);

export const isNegation = (word: string): boolean => NEGATIONS.has(word);
export const isReport = (word: string): boolean => REPORTS.has(word) || CONDITIONS.has(word);
const isQualifier = (word: string): boolean =>
  isNegation(word) || isReport(word) || OTHERS.has(word) || ENDED.has(word);

/** "But" starts an independent clause; "and" does not: "not this and that". */
const PARTS = /[^.?!,;:।…–—\n]+[.?!,;:।…–—\n]*/gu;
const BUT = / (?:but|lekin|par|magar|लेकिन|पर|मगर) /u;

const SENTENCE_END = /[.?!;।…\n]/u;
/** Tag questions: "…, did I not?", "…, right?" */
const LONGEST_TAG = 4;

export function clausesOf(text: string): SaidClause[] {
  const clauses: SaidClause[] = [];
  /** First clause of the current sentence. */
  let from = 0;
  for (const [part] of text.matchAll(PARTS)) {
    const isAsked = part.includes("?");
    for (const piece of plainWords(part).replaceAll("|", " ").split(BUT)) {
      const words = piece.split(" ").filter(Boolean);
      const [first] = words;
      if (first === undefined) continue;
      const isQuestion = isAsked || ASKING.has(first);
      // A tag turns the words before it into a question.
      if (isQuestion && words.length <= LONGEST_TAG)
        for (const [index, clause] of clauses.entries()) if (index >= from) clauses[index] = { ...clause, isQuestion };
      clauses.push({ words, isQuestion, qualifiers: words.filter(isQualifier) });
    }
    if (SENTENCE_END.test(part)) from = clauses.length;
  }
  return clauses;
}

export const wordsOf = (text: string): string[] => plainWords(text).split(/[ |]+/).filter(Boolean);
