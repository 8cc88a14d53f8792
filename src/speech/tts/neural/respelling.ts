// Parses respellings in simple letters: "SHAR-ma", "met-FOR-min". Hyphens separate syllables; the one in capitals is
// stressed. ARPAbet ("SH AA1 R M AH0") is accepted too.
import type { Sounds } from "./dictionary.ts";

const VOWELS = new Set(["AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW"]);
const CONSONANTS = new Set("B CH D DH F G HH JH K L M N NG P R S SH T TH V W Y Z ZH".split(" "));

/** Longer spellings come first. Single vowels at the end of a syllable are long: see OPEN. */
const SPELLINGS: readonly (readonly [letters: string, sounds: string])[] = [
  ["eye", "AY"],
  ["igh", "AY"],
  ["ahr", "AA R"],
  ["aar", "AA R"],
  ["air", "EH R"],
  ["eer", "IH R"],
  ["oor", "UH R"],
  ["ore", "AO R"],
  ["tch", "CH"],
  ["ar", "AA R"],
  ["or", "AO R"],
  ["er", "ER"],
  ["ir", "ER"],
  ["ur", "ER"],
  ["aa", "AA"],
  ["ah", "AA"],
  ["ai", "EY"],
  ["ay", "EY"],
  ["ey", "EY"],
  ["aw", "AO"],
  ["au", "AO"],
  ["ee", "IY"],
  ["ea", "IY"],
  ["eh", "EH"],
  ["ih", "IH"],
  ["ie", "AY"],
  ["oa", "OW"],
  ["oh", "OW"],
  ["oo", "UW"],
  ["oi", "OY"],
  ["oy", "OY"],
  ["ou", "AW"],
  ["ow", "AW"],
  ["uh", "AH"],
  ["uu", "UH"],
  ["ch", "CH"],
  ["sh", "SH"],
  ["zh", "ZH"],
  ["th", "TH"],
  ["dh", "DH"],
  ["ph", "F"],
  ["kh", "K"],
  ["gh", "G"],
  ["bh", "B"],
  ["jh", "JH"],
  ["wh", "W"],
  ["ck", "K"],
  ["qu", "K W"],
  ["nk", "NG K"],
  ["ng", "NG"],
  ["a", "AE"],
  ["e", "EH"],
  ["i", "IH"],
  ["o", "AA"],
  ["u", "AH"],
  ["b", "B"],
  ["c", "K"],
  ["d", "D"],
  ["f", "F"],
  ["g", "G"],
  ["h", "HH"],
  ["j", "JH"],
  ["k", "K"],
  ["l", "L"],
  ["m", "M"],
  ["n", "N"],
  ["p", "P"],
  ["q", "K"],
  ["r", "R"],
  ["s", "S"],
  ["t", "T"],
  ["v", "V"],
  ["w", "W"],
  ["x", "K S"],
  ["y", "Y"],
  ["z", "Z"],
];

/** At the end of a syllable: stressed and unstressed. */
const OPEN: Readonly<Record<string, readonly [stressed: string, unstressed: string]>> = {
  a: ["AA", "AH"],
  e: ["EY", "EY"],
  i: ["IY", "IY"],
  o: ["OW", "OW"],
  u: ["UW", "UW"],
  y: ["AY", "IY"],
};

/** More than any respelling of one word needs. */
export const LONGEST_RESPELLING = 60;

/** Null if it cannot be parsed. */
export function soundsOfRespelling(written: string): Sounds | null {
  const text = written.trim();
  if (text.length > LONGEST_RESPELLING) return null;
  return soundsOfArpabet(text) ?? soundsOfSyllables(text);
}

function soundsOfArpabet(text: string): Sounds | null {
  const sounds = text.split(/[\s_]+/);
  const isSound = (sound: string) => CONSONANTS.has(sound) || VOWELS.has(sound.replace(/[012]$/, ""));
  // Single letters could be a word in capitals such as "P T"; a vowel with a stress number settles it.
  if (!sounds.every(isSound) || !sounds.some((sound) => /[012]$/.test(sound))) return null;
  return sounds.map((sound) => (VOWELS.has(sound) ? `${sound}0` : sound));
}

function soundsOfSyllables(text: string): Sounds | null {
  const syllables = text.split(/[-\s_]+/);
  if (!syllables.every((syllable) => /^[a-z]+$/i.test(syllable))) return null;
  const isCapital = (syllable: string) => syllable === syllable.toUpperCase();
  // A word entirely in capitals marks no stress.
  const hasStress = syllables.some(isCapital) && !(syllables.length > 1 && syllables.every(isCapital));
  const sounds = syllables.flatMap((syllable, i) =>
    soundsOfSyllable(syllable.toLowerCase(), hasStress ? isCapital(syllable) : i === 0),
  );
  return sounds.some((sound) => /\d$/.test(sound)) ? sounds : null;
}

function soundsOfSyllable(syllable: string, isStressed: boolean): string[] {
  const sounds: string[] = [];
  for (let at = 0; at < syllable.length;) {
    const rest = syllable.slice(at);
    const open = rest.length === 1 && at > 0 ? OPEN[rest] : rest.length === syllable.length ? OPEN[rest] : undefined;
    const [letters, written] = SPELLINGS.find(([letters]) => rest.startsWith(letters)) ?? ["", ""];
    const spelled = open ? open[isStressed ? 0 : 1] : written;
    for (const sound of spelled.split(" ")) sounds.push(VOWELS.has(sound) ? `${sound}${isStressed ? 1 : 0}` : sound);
    at += letters.length;
  }
  return sounds;
}
