// Grapheme-to-phoneme conversion for Hindi. Devanagari is phonetic, except for the inherent vowel of each consonant,
// which is dropped in some positions (schwa deletion). Output uses Kokoro's letters for Hindi.

const CONSONANTS: Readonly<Record<string, string>> = {
  क: "k",
  ख: "kʰ",
  ग: "ɡ",
  घ: "ɡʰ",
  ङ: "ŋ",
  च: "c",
  छ: "cʰ",
  ज: "ɟ",
  झ: "ɟʰ",
  ञ: "ɲ",
  ट: "ʈ",
  ठ: "ʈʰ",
  ड: "ɖ",
  ढ: "ɖʰ",
  ण: "ɳ",
  त: "t",
  थ: "tʰ",
  द: "d",
  ध: "dʰ",
  न: "n",
  प: "p",
  फ: "pʰ",
  ब: "b",
  भ: "bʰ",
  म: "m",
  य: "j",
  र: "ɾ",
  ल: "l",
  ळ: "l",
  व: "ʋ",
  श: "ʃ",
  ष: "ʂ",
  स: "s",
  ह: "h",
};

/** With a nukta: sounds of Persian, Arabic and English, and the flapped D. */
const DOTTED: Readonly<Record<string, string>> = {
  क: "k",
  ख: "x",
  ग: "ɣ",
  ज: "z",
  ड: "ɽ",
  ढ: "ɽʰ",
  फ: "f",
  झ: "ʒ",
};

const VOWELS: Readonly<Record<string, string>> = {
  अ: "ə",
  आ: "aː",
  इ: "ɪ",
  ई: "iː",
  उ: "ʊ",
  ऊ: "uː",
  ऋ: "ɾɪ",
  ए: "eː",
  ऐ: "ɛː",
  ओ: "oː",
  औ: "ɔː",
  ऑ: "ɔ",
  ऍ: "æ",
  ऎ: "e",
  ऒ: "o",
};

const VOWEL_SIGNS: Readonly<Record<string, string>> = {
  "ा": "aː",
  "ि": "ɪ",
  "ी": "iː",
  "ु": "ʊ",
  "ू": "uː",
  "ृ": "ɾɪ",
  "े": "eː",
  "ै": "ɛː",
  "ो": "oː",
  "ौ": "ɔː",
  "ॉ": "ɔ",
  "ॅ": "æ",
  "ॆ": "e",
  "ॊ": "o",
};

const DOT_BELOW = "\u093c";
const NO_VOWEL = "\u094d";
const NASAL_DOT = "\u0902";
const NASAL_MOON = "\u0901";
const BREATH = "\u0903";
const TILDE = "\u0303";
const INHERENT = "ə";
/** The inherent vowel under stress. */
const STRESSED_INHERENT = "ʌ";

/** Irregular words. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  [
    ["यह", "jeː"],
    ["वह", "ʋoː"],
    ["ये", "jeː"],
    ["वे", "ʋeː"],
    ["न", "nə"],
    ["कि", "kɪ"],
    ["ज़्यादा", "zjˈaːdaː"],
    ["अस्पताल", "əspətˈaːl"],
    ["डॉक्टर", "ɖˈɔkʈəɾ"],
    ["हॉस्पिटल", "hˈɔspɪʈəl"],
    ["दोपहर", "doːpˈɛhɛɾ"],
    ["फ़रवरी", "fˈʌɾʋəɾiː"],
  ].map(([word = "", said = ""]) => [word.normalize("NFC"), said]),
);

/** Words without stress in a sentence. */
const WEAK = new Set(
  "का के की को से में पर ने है हैं हूँ था थे थी तो भी ही और या कि न जी यह वह ये वे इस उस तक"
    .split(" ")
    .map((word) => word.normalize("NFC")),
);

/** One consonant and its vowel; without a consonant, an independent vowel. */
interface Unit {
  consonant: string;
  vowel: string;
  /** The vowel is not written and may be dropped. */
  isInherent: boolean;
  nasal: "dot" | "moon" | null;
}

/** Null if the word contains no Devanagari. */
export function hindiSounds(word: string): string | null {
  const written = word.normalize("NFC");
  const irregular = IRREGULAR.get(written);
  if (irregular !== undefined) return irregular;
  const units = unitsOf(written);
  if (units.length === 0) return null;
  leaveOutVowels(units);
  breatheBeforeH(units);
  const stressed = WEAK.has(written) ? -1 : stressedUnit(units);
  return units.map((unit, i) => spelled(unit, units[i + 1], i === stressed)).join("");
}

function unitsOf(word: string): Unit[] {
  const units: Unit[] = [];
  // Devanagari fits in 16 bits.
  const letters = word.normalize("NFD").split("");
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i] ?? "";
    const vowel = VOWELS[letter];
    if (vowel !== undefined) units.push({ consonant: "", vowel, isInherent: false, nasal: null });
    const plain = CONSONANTS[letter];
    if (plain !== undefined) {
      const isDotted = letters[i + 1] === DOT_BELOW;
      if (isDotted) i++;
      units.push({
        consonant: isDotted ? (DOTTED[letter] ?? plain) : plain,
        vowel: INHERENT,
        isInherent: true,
        nasal: null,
      });
    }
    const last = units.at(-1);
    if (last) modify(last, letter);
  }
  return joinedGya(units);
}

/** Applies a sign to the unit before it. */
function modify(unit: Unit, sign: string): void {
  const vowel = VOWEL_SIGNS[sign];
  if (vowel !== undefined || sign === NO_VOWEL) Object.assign(unit, { vowel: vowel ?? "", isInherent: false });
  if (sign === NASAL_DOT || sign === NASAL_MOON) {
    Object.assign(unit, { nasal: sign === NASAL_DOT ? "dot" : "moon", isInherent: false });
  }
  if (sign === BREATH) Object.assign(unit, { vowel: `${unit.vowel}h`, isInherent: false });
}

/** ज्ञ is pronounced gy. */
function joinedGya(units: Unit[]): Unit[] {
  return units.map((unit, i) => {
    const [before, after] = [units[i - 1], units[i + 1]];
    if (unit.consonant === "ɟ" && unit.vowel === "" && after?.consonant === "ɲ") return { ...unit, consonant: "ɡ" };
    return unit.consonant === "ɲ" && before?.consonant === "ɟ" && before.vowel === ""
      ? { ...unit, consonant: "j" }
      : unit;
  });
}

/**
 * Schwa deletion from the end of the word: drops the final inherent vowel, and one between a consonant after a vowel
 * and a consonant with a vowel (Ohala's rule). The first syllable keeps its vowel.
 */
function leaveOutVowels(units: Unit[]): void {
  for (let i = units.length - 1; i > 0; i--) {
    const [unit, before, after] = [units[i], units[i - 1], units[i + 1]];
    if (!unit?.isInherent || !before) continue;
    // Clusters that cannot end a word keep the vowel: स्वास्थ्य.
    const endsHard = !after && before.vowel === "" && /^[jʋ]$/.test(unit.consonant);
    const isLast = !after && !endsHard;
    const isBetween = after !== undefined && before.vowel !== "" && after.vowel !== "" && after.consonant !== "";
    if (isLast || isBetween) unit.vowel = "";
  }
}

/** पहले, कहना, शहर: the vowel before an H without its own vowel, or with an inherent one, is more open. */
function breatheBeforeH(units: Unit[]): void {
  for (const [i, unit] of units.entries()) {
    const [after, last] = [units[i + 1], units[i + 2]];
    if (unit.vowel !== INHERENT || after?.consonant !== "h" || !last || !after.isInherent) continue;
    unit.vowel = "ɛ";
    if (after.vowel === INHERENT) after.vowel = "ɛ";
  }
}

/** Stress falls on the heaviest syllable; among equals on the last one before the final. */
function stressedUnit(units: readonly Unit[]): number {
  const nuclei = units.flatMap(({ vowel }, i) => (vowel === "" ? [] : [i]));
  const weights = nuclei.map((at, i) => {
    const end = nuclei[i + 1] ?? units.length;
    // A consonant that begins the next syllable does not close this one.
    const closing = Math.max(0, end - at - 1) + (units[at]?.nasal === "dot" ? 1 : 0);
    return (units[at]?.vowel.includes("ː") ? 2 : 1) + closing;
  });
  const most = Math.max(...weights);
  const heaviest = nuclei.filter((_, i) => weights[i] === most);
  const inside = heaviest.filter((at) => at !== nuclei.at(-1));
  return inside.at(-1) ?? heaviest.at(-1) ?? -1;
}

function spelled({ consonant, vowel, nasal }: Unit, next: Unit | undefined, isStressed: boolean): string {
  const stress = isStressed ? "ˈ" : "";
  const said = isStressed && vowel === INHERENT ? STRESSED_INHERENT : vowel;
  if (nasal === null) return `${consonant}${vowel === "" ? "" : stress}${said}`;
  const follows = next?.consonant ?? "";
  if (nasal === "moon" || follows === "" || /^[nmɲɳŋ]/.test(follows)) {
    return `${consonant}${stress}${nasalised(said)}`;
  }
  return `${consonant}${stress}${said}${nasalBefore(follows)}`;
}

const nasalised = (vowel: string): string => vowel.replace(/^(.)/, `$1${TILDE}`);

/** Homorganic nasal: same place of articulation as the next consonant. */
function nasalBefore(consonant: string): string {
  if (/^[kɡxɣ]/.test(consonant)) return "ŋ";
  if (/^[pbf]/.test(consonant)) return "m";
  if (/^[ʈɖɽ]/.test(consonant)) return "ɳ";
  return /^[cɟ]/.test(consonant) ? "ɲ" : "n";
}
