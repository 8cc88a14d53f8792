// Words of danger as token sequences of the recogniser. If one of them was likely but another word was written, both
// are reported: "I have just pain" was "I have chest pain", with 12 % for "chest".
import type { Tokens } from "./tokens.ts";

const WATCHED = [
  "ambulance",
  "attack",
  "bleeding",
  "blood",
  "breath",
  "breathe",
  "breathing",
  "chest",
  "choking",
  "collapsed",
  "conscious",
  "die",
  "drooping",
  "dying",
  "emergency",
  "fainted",
  "fell",
  "heart",
  "hurts",
  "kill",
  "overdose",
  "pain",
  "poison",
  "responding",
  "seizure",
  "stroke",
  "suicide",
  "tablets",
  "pills",
  "unconscious",
  "vomiting",
];
/** Minimum length of a word prefix; shorter ones match too many words. The exceptions are whole tokens. */
const SHORTEST_BEGINNING = 3;
const SHORT_BEGINNINGS = ["ch", "un"];

export interface WatchedTokens {
  /** Tokens that start or continue a watched word at this position. */
  after(written: readonly number[]): readonly number[];
}

export function watchedTokens(tokens: Tokens): WatchedTokens {
  const beginnings = new Set(
    WATCHED.flatMap((word) => Array.from({ length: word.length }, (_, at) => word.slice(0, at + 1))),
  );
  const isBeginning = (text: string) =>
    beginnings.has(text) && (text.length >= SHORTEST_BEGINNING || SHORT_BEGINNINGS.includes(text));
  const first: number[] = [];
  /** Keyed by the part of the word written so far. */
  const further = new Map<string, number[]>();
  const rests = restsOf(WATCHED);
  for (let token = 0; token < tokens.count; token++) {
    const piece = tokens.pieceOf(token).toLowerCase();
    if (piece.startsWith(" ")) {
      if (isBeginning(piece.slice(1))) first.push(token);
      continue;
    }
    for (const before of rests.get(piece) ?? []) further.set(before, [...(further.get(before) ?? []), token]);
  }
  return {
    after(written) {
      const word = wordSoFar(tokens, written);
      const goingOn = further.get(word);
      return goingOn ? [...first, ...goingOn] : first;
    },
  };
}

/** For each inner part of a word, the possible parts before it. */
function restsOf(words: readonly string[]): Map<string, Set<string>> {
  const rests = new Map<string, Set<string>>();
  for (const word of words) {
    for (let from = 2; from < word.length; from++) {
      for (let to = from + 1; to <= word.length; to++) {
        const part = word.slice(from, to);
        rests.set(part, (rests.get(part) ?? new Set()).add(word.slice(0, from)));
      }
    }
  }
  return rests;
}

function wordSoFar(tokens: Tokens, written: readonly number[]): string {
  let word = "";
  for (let at = written.length - 1; at >= 0; at--) {
    const piece = tokens.pieceOf(written[at] ?? 0).toLowerCase();
    word = piece.trimStart() + word;
    if (piece.startsWith(" ")) break;
  }
  return word;
}
