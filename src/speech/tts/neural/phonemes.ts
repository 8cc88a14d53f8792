// Phonemes of an English sentence for the network: words in Kokoro's letters, punctuation and pauses.
import { soundsOfRespelling } from "./respelling.ts";
import type { Sounds } from "./dictionary.ts";

/** ARPAbet to Kokoro's letters; AH, ER and flapped T depend on context. */
const LETTERS: Readonly<Record<string, string>> = {
  AA: "ɑ",
  AE: "æ",
  AO: "ɔ",
  AW: "W",
  AY: "I",
  B: "b",
  CH: "ʧ",
  D: "d",
  DH: "ð",
  EH: "ɛ",
  EY: "A",
  F: "f",
  G: "ɡ",
  HH: "h",
  IH: "ɪ",
  IY: "i",
  JH: "ʤ",
  K: "k",
  L: "l",
  M: "m",
  N: "n",
  NG: "ŋ",
  OW: "O",
  OY: "Y",
  P: "p",
  R: "ɹ",
  S: "s",
  SH: "ʃ",
  T: "t",
  TH: "θ",
  UH: "ʊ",
  UW: "u",
  V: "v",
  W: "w",
  Y: "j",
  Z: "z",
  ZH: "ʒ",
};

/** Words without stress in a sentence. */
const WEAK = new Set(
  "a an the of to for and or is are was be at in on as it do we us that this but with from your you my can will would have has not".split(
    " ",
  ),
);
/** Reduced forms within a sentence. */
const IN_A_SENTENCE: ReadonlyMap<string, Sounds> = new Map([
  ["a", ["AH0"]],
  ["an", ["AE0", "N"]],
  ["and", ["AE0", "N", "D"]],
  ["for", ["F", "AO0", "R"]],
  ["i", ["AY2"]],
  ["of", ["AH1", "V"]],
  ["to", ["T", "UW0"]],
  ["your", ["Y", "AO0", "R"]],
]);
const LETTER_NAMES: Readonly<Record<string, string>> = {
  a: "EY1",
  b: "B IY1",
  c: "S IY1",
  d: "D IY1",
  e: "IY1",
  f: "EH1 F",
  g: "JH IY1",
  h: "EY1 CH",
  i: "AY1",
  j: "JH EY1",
  k: "K EY1",
  l: "EH1 L",
  m: "EH1 M",
  n: "EH1 N",
  o: "OW1",
  p: "P IY1",
  q: "K Y UW1",
  r: "AA1 R",
  s: "EH1 S",
  t: "T IY1",
  u: "Y UW1",
  v: "V IY1",
  w: "D AH1 B AH0 L Y UW0",
  x: "EH1 K S",
  y: "W AY1",
  z: "Z IY1",
};

/** A word with its pronunciation, a word, or punctuation; everything else separates words. */
const TOKENS = /\{([^{}|]*)\|([^{}|]*)\}|[A-Za-z]+(?:'[A-Za-z]+)*'?|[.,!?;:]/g;

interface Words {
  isKnown(word: string): boolean;
  of(word: string): Sounds;
}

type Token = { stop: string } | { text: string; said: string | null };

/** Kokoro's letters for a sentence normalised by reading.ts. */
export function phonemesOf(sentence: string, words: Words): string {
  const tokens = tokensOf(sentence);
  const sounds = tokens.map((token, i) => ("stop" in token ? null : soundsOf(token, tokens, i, words)));
  return tokens
    .map((token, i) => {
      if ("stop" in token) return token.stop;
      const own = sounds[i] ?? [];
      const next = sounds[i + 1]?.[0] ?? "";
      const plain = token.said === null && !isSpelled(tokens, i) ? token.text.toLowerCase() : "";
      return ` ${written(plain === "the" ? beforeVowel(next) : own, WEAK.has(plain))}`;
    })
    .join("")
    .trim();
}

function tokensOf(sentence: string): Token[] {
  return [...sentence.matchAll(TOKENS)].map(([whole, word, said]) => {
    if (said !== undefined) return { text: word ?? "", said };
    return /^[.,!?;:]$/.test(whole) ? { stop: whole } : { text: whole, said: null };
  });
}

function soundsOf({ text, said }: { text: string; said: string | null }, tokens: Token[], at: number, words: Words) {
  const given = said === null ? null : soundsOfRespelling(said);
  if (given) return given;
  if (isSpelled(tokens, at)) return nameOf(text);
  // Unpronounceable abbreviations such as "XRT" are spelled out.
  if (/^[A-Z]{2,5}$/.test(text) && !words.isKnown(text)) return text.split("").flatMap(nameOf);
  return IN_A_SENTENCE.get(text.toLowerCase()) ?? words.of(text);
}

/** Isolated capitals next to each other: the letters of "O P D". "I" and "A" alone are words. */
function isSpelled(tokens: Token[], at: number): boolean {
  const isCapital = (token: Token | undefined) => token !== undefined && "text" in token && /^[A-Z]$/.test(token.text);
  const [before, token, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (!token || !isCapital(token) || !("text" in token)) return false;
  return !/^[AI]$/.test(token.text) || isCapital(before) || isCapital(after);
}

function nameOf(letter: string): Sounds {
  return (LETTER_NAMES[letter.toLowerCase()] ?? "").split(" ");
}

/** "thee apple", "thuh pear". */
function beforeVowel(next: string): Sounds {
  return ["DH", /\d$/.test(next) ? "IY0" : "AH0"];
}

function written(sounds: Sounds, isWeak: boolean): string {
  return sounds.map((sound, i) => letterOf(sound, sounds[i - 1] ?? "", sounds[i + 1] ?? "", isWeak)).join("");
}

function letterOf(sound: string, before: string, after: string, isWeak: boolean): string {
  const kind = sound.replace(/\d$/, "");
  const stress = /\d$/.test(sound) ? Number(sound.at(-1)) : null;
  const mark = isWeak || stress === null ? "" : (["", "ˈ", "ˌ"][stress] ?? "");
  // American flapped T between vowels, as in "city".
  if (kind === "T" && /\d$|^R$/.test(before) && after.endsWith("0")) return "T";
  if (kind === "AH") return mark + (stress === 0 ? "ə" : "ʌ");
  if (kind === "ER") return mark + (stress === 0 ? "əɹ" : "ɜɹ");
  return mark + (LETTERS[kind] ?? "");
}
