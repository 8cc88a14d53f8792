// Pronunciation of one English word: clinic vocabulary, dictionary, word parts, then the letters-to-sounds network.
import { CLINIC_WORDS } from "./clinic-words.ts";
import type { Sounds } from "./dictionary.ts";
import { soundsOfRespelling } from "./respelling.ts";

/** About 10 ms of work each; names repeat within a call, but rarely across calls. */
const MOST_REMEMBERED = 2_000;

/** British spellings of words the dictionary has in American ones. */
const OTHER_SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/ae|oe/g, "e"],
  [/is(?=ation|e$|ed$|ing$|es$)/, "iz"],
  [/our/g, "or"],
  [/(?<=[bt])re$/, "er"],
  [/ll(?=ed$|ing$)/, "l"],
  [/mme$/, "m"],
  [/yse(?=d?$)/, "yze"],
];

const SIBILANT = /^(?:S|Z|SH|ZH|CH|JH)$/;
const VOICELESS = /^(?:P|T|K|F|TH)$/;

export function createWordSounds({
  dictionary,
  predict,
}: {
  dictionary: (word: string) => Sounds | null;
  predict: (word: string) => Sounds;
}): { isKnown(word: string): boolean; of(word: string): Sounds } {
  const predicted = new Map<string, Sounds>();

  function listed(word: string): Sounds | null {
    const said = CLINIC_WORDS.get(word);
    return (said === undefined ? null : soundsOfRespelling(said)) ?? dictionary(word);
  }

  function respelled(word: string): Sounds | null {
    for (const [pattern, by] of OTHER_SPELLINGS) {
      const american = word.replace(pattern, by);
      const sounds = american === word ? null : listed(american);
      if (sounds) return sounds;
    }
    return null;
  }

  /** "Sharma's", "tablets", "boxes", "cancelled", "walking". */
  function inflected(word: string): Sounds | null {
    const [, stem = "", ending = ""] = /^(.{2,}?)('s|s'|es|s|ed|ing)$/.exec(word) ?? [];
    const sounds = stem === "" ? null : (listed(stem) ?? (/^(?:es|ed|ing)$/.test(ending) ? listed(`${stem}e`) : null));
    if (!sounds) return null;
    if (ending === "ing") return [...sounds, "IH0", "NG"];
    return [...sounds, ...(ending === "ed" ? pastOf(sounds.at(-1) ?? "") : pluralOf(sounds.at(-1) ?? ""))];
  }

  /** "bedside", "healthline": two known words. */
  function compound(word: string): Sounds | null {
    for (let at = word.length - 4; at >= 4; at--) {
      const [first, second] = [listed(word.slice(0, at)), listed(word.slice(at))];
      if (first && second) return [...first, ...second.map((sound) => sound.replace("1", "2"))];
    }
    return null;
  }

  const known = (word: string) => listed(word) ?? respelled(word) ?? inflected(word) ?? compound(word);

  return {
    isKnown: (word) => listed(word.toLowerCase()) !== null,
    of(written) {
      const word = written.toLowerCase();
      const sounds = known(word) ?? predicted.get(word);
      if (sounds) return sounds;
      const guessed = predict(word.replaceAll("'", ""));
      if (predicted.size >= MOST_REMEMBERED) predicted.clear();
      predicted.set(word, guessed);
      return guessed;
    },
  };
}

function pluralOf(last: string): string[] {
  if (SIBILANT.test(last)) return ["IH0", "Z"];
  return VOICELESS.test(last) ? ["S"] : ["Z"];
}

function pastOf(last: string): string[] {
  if (last === "T" || last === "D") return ["IH0", "D"];
  return VOICELESS.test(last) || /^(?:S|SH|CH)$/.test(last) ? ["T"] : ["D"];
}
