// Extracts the name from an answer to "May I have your name?". Null when in doubt; the conversation reads the name back
// before it counts.
import { isSafeText } from "../../core/names.ts";

/** Bounds the work for any text; answers are shorter. */
const MOST_CHARS = 200;
const MOST_NAME_CHARS = 60;
const MOST_WORDS = 4;
const LEAST_SPELT = 3;

/** Introductions that mark the rest as a name. English, Hindi in Latin letters, Hindi. */
const LEADS: readonly RegExp[] = [
  /\b(?:my|the|her|his|their|patient'?s?|mother'?s?|father'?s?|son'?s?|daughter'?s?|wife'?s?|husband'?s?) (?:full |first |last |good )?name (?:is|would be|will be)\b/i,
  /\bname'?s\b/i,
  /\b(?:this is|i am|i'm|myself|call me|it is|it's|that is|that's|you can call me|put it under|under)\b/i,
  /\b(?:mera|meraa|mere) (?:shubh )?(?:naam|nam)\b/i,
  /\b(?:main|mai)\b(?=.*\b(?:bol|hoon|hun|hu)\b)/i,
  /(?:मेरा|मेरे|उनका|उसका) (?:शुभ )?नाम/u,
  /(?:^| )मैं(?= )/u,
];
/** Words after the name. */
const TAIL =
  /(?: |^)(?:here|speaking|calling|please|sir|madam|ma'?am|thank you.*|thanks.*|hai|hain|hoon|hun|bol (?:raha|rahi).*|है|हैं|हूँ|हूं|बोल (?:रहा|रही).*)$/iu;
/** Words before the name. */
const FILLER =
  /^(?:yes|yeah|yep|sure|okay|ok|alright|of course|certainly|hello|hi|hey|good (?:morning|afternoon|evening)|namaste|um+|uh+|er+m?|ah+|oh|well|so|and|no|nope|not that|haan|ji|जी|हाँ|नमस्ते|नहीं)(?= |$) ?/iu;

/** Words that never occur in a name: an answer with one of them is not a name. */
const NO_NAMES = new Set(
  (
    "a an the this that these those it its i me my mine we us our you your he him his she her they them their who whom whose what when " +
    "where why how which and or but if because so than then to of in on at by for from with about into not no yes none nothing " +
    "is are was were be been am do does did done have has had would can could shall should must might want need like " +
    "know think mean say said tell told ask asked call called calling come coming go going get got give take make book booking " +
    "booked see speak speaking talk hear hold wait please sorry thanks thank hello hi bye goodbye okay ok right correct wrong " +
    "fine good great perfect sure busy ready sick ill old new urgent pain help hurt here there now later today tomorrow again " +
    "already still just only also very too one two three four five six seven eight nine ten zero first second third " +
    "appointment doctor nurse hospital clinic patient name time date day week month year morning afternoon evening number phone " +
    "mother father mom mum dad son daughter wife husband brother sister friend baby child madam sir something anything someone " +
    "anyone nobody question matter rather never mind repeat pardon what's don't can't won't isn't " +
    "mera meri mere naam kya kyon kaun kab kahan mujhe hai hain nahi nahin haan theek aap मेरा क्या क्यों कौन मुझे नहीं है हाँ"
  ).split(" "),
);

export interface SpokenName {
  name: string;
  /** Introduced as a name: "my name is …". */
  isPlain: boolean;
}

export function spokenName(text: string): SpokenName | null {
  const said = text
    .slice(0, MOST_CHARS)
    .normalize("NFC")
    .replace(/[‘’ʼ`´]/g, "'");
  if (/\d/.test(said)) return null;
  const spelt = speltName(said);
  if (spelt !== null) return { name: spelt, isPlain: false };
  const clauses = said
    .split(/[.,;:!?।…–—]+/)
    .map((clause) => bare(clause))
    .filter(({ words }) => words.length > 0);
  const plain = clauses.filter(({ isLed }) => isLed).flatMap(({ words }) => nameOf(words) ?? []);
  const told = plain.at(-1);
  if (told !== undefined) return { name: told, isPlain: true };
  // Any other clause may be a sentence without a name.
  const names = clauses.flatMap(({ words }) => nameOf(words) ?? []);
  if (names.length < clauses.length) return null;
  const longest = names.reduce<string | null>((best, name) => (name.length > (best?.length ?? 0) ? name : best), null);
  return longest === null ? null : { name: longest, isPlain: false };
}

function bare(clause: string): { words: readonly string[]; isLed: boolean } {
  let rest = clause.trim().replace(/\s+/g, " ");
  for (let filler = FILLER.exec(rest); filler && rest !== ""; filler = FILLER.exec(rest))
    rest = rest.slice(filler[0].length);
  let isLed = false;
  for (const lead of LEADS) {
    const found = lead.exec(rest);
    if (!found) continue;
    isLed = true;
    rest = rest.slice(found.index + found[0].length).trim();
  }
  for (let tail = TAIL.exec(rest); tail && rest !== ""; tail = TAIL.exec(rest)) rest = rest.slice(0, tail.index).trim();
  return { words: rest === "" ? [] : rest.split(" "), isLed };
}

/** A letter with marks and joiners: "O'Neill", "Anne-Marie", "श्रीमती". */
const WORD = /^\p{L}[\p{L}\p{M}\p{Join_C}'-]*$/u;

function nameOf(words: readonly string[]): string | null {
  if (words.length === 0 || words.length > MOST_WORDS) return null;
  const isName = words.every((word) => WORD.test(word) && !NO_NAMES.has(word.toLowerCase()));
  const name = words.map(capital).join(" ");
  const isLong = name.length > MOST_NAME_CHARS;
  return isName && !isLong && /\p{L}.*\p{L}/u.test(name) && isSafeText(name) ? name : null;
}

/** Spelled names: "A, S, H, A." */
function speltName(said: string): string | null {
  const letters = said
    .trim()
    .split(/[\s.,-]+/)
    .filter((part) => part !== "");
  const isSpelt = letters.length >= LEAST_SPELT && letters.every((letter) => /^\p{L}$/u.test(letter));
  return isSpelt ? nameOf([letters.join("").toLowerCase()]) : null;
}

const capital = (word: string): string => {
  const isShouted = word.length > 1 && word === word.toUpperCase();
  const [first = "", ...rest] = isShouted ? word.toLowerCase() : word;
  return first.toUpperCase() + rest.join("");
};
