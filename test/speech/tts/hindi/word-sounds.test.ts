// Grapheme-to-phoneme conversion against reference pronunciations.
import { expect, test } from "bun:test";
import { wordSounds as english } from "../neural/english.ts";
import { hindiPhonemes } from "../../../../src/speech/tts/neural/hindi-phonemes.ts";
import { hindiSounds } from "../../../../src/speech/tts/hindi/word-sounds.ts";
import { numbersOf } from "../../../../src/speech/tts/neural/letters.ts";

test.each([
  // Schwa deletion at the end and in the middle; the first syllable keeps its vowel.
  ["बात", "bˈaːt"],
  ["कमला", "kˈʌmlaː"],
  ["लड़का", "lˈʌɽkaː"],
  ["समझना", "səmˈʌɟʰnaː"],
  ["सड़क", "səɽˈʌk"],
  ["नमकीन", "nəmkˈiːn"],
  ["धन्यवाद", "dʰənjəʋˈaːd"],
  ["स्वास्थ्य", "sʋˈaːstʰjə"],
  ["मित्र", "mˈɪtɾ"],
  // More open before H.
  ["पहले", "pˈɛhleː"],
  ["शहर", "ʃɛhˈɛɾ"],
  // Nasals: homorganic before a consonant, otherwise in the vowel.
  ["संदेश", "səndˈeːʃ"],
  ["मंगलवार", "məŋɡəlʋˈaːɾ"],
  ["सितंबर", "sɪtˈʌmbəɾ"],
  ["अपॉइंटमेंट", "əpɔɪɳʈmˈeːɳʈ"],
  ["पाँच", "pˈa\u0303ːc"],
  ["नहीं", "nəhˈi\u0303ː"],
  ["मैंने", "mˈɛ\u0303ːneː"],
  // Nukta letters, clusters and irregular words.
  ["हज़ार", "həzˈaːɾ"],
  ["फ़रवरी", "fˈʌɾʋəɾiː"],
  ["ज्ञान", "ɡjˈaːn"],
  ["क्षमा", "kʂəmˈaː"],
  ["दुःख", "dˈʊhkʰ"],
  ["यह", "jeː"],
  // Function words have no stress.
  ["के", "keː"],
  ["है", "hɛː"],
])("%s is said %s", (word, said) => {
  expect(hindiSounds(word)).toBe(said);
  expect(hindiSounds(word.normalize("NFD"))).toBe(said);
});

test("what is not Devanagari has no Hindi sounds", () => {
  expect(hindiSounds("abc")).toBeNull();
});

test("a clause keeps its stops, and English words in it are said in English", () => {
  expect(hindiPhonemes("डॉ. Mehta, नमस्ते।", english)).toMatch(/^ɖˈɔkʈəɾ \S*mˈ?\S+, nəmˈʌsteː\.$/);
});

test("a marked word is said as the organisation says it", () => {
  const marked = hindiPhonemes("{शर्मा|SHAR-ma} जी।", english);
  expect(marked).not.toBe(hindiPhonemes("शर्मा जी।", english));
  expect(marked).toMatch(/^ʃ.+ ɟiː\.$/);
});

test("every letter that is written has a number of Kokoro's", () => {
  const phonemes = hindiPhonemes("ज़रूरी ख़बर ग़लत ढाँचा झूठ छः ऋषि ऑफ़िस औरत ऐनक घंटा ठंडा ऊँट अंग्रेज़ी पढ़ना विशेषज्ञ।", english);
  expect(numbersOf(phonemes).flat()).toHaveLength(phonemes.length);
});

test("a clause with nothing to say is empty", () => {
  expect(hindiPhonemes("— 🙂 ***", english)).toBe("");
});
