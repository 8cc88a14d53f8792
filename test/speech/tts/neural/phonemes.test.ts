import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { sentencesOf } from "../../../../src/speech/tts/reading.ts";
import { numbersOf } from "../../../../src/speech/tts/neural/letters.ts";
import { phonemesOf } from "../../../../src/speech/tts/neural/phonemes.ts";
import { wordSounds } from "./english.ts";

describe("a sentence in Kokoro's letters:", () => {
  const cases: Record<string, string> = {
    "Please hang up, and call.": "plˈiz hˈæŋ ˈʌp, ænd kˈɔl.",
    "the apple, the pear": "ði ˈæpəl, ðə pˈɛɹ",
    "the O P D": "ði ˈO pˈi dˈi",
    "at two P M": "æt tˈu pˈi ˈɛm",
    "A nurse": "ə nˈɜɹs",
    "I can": "ˌI kæn",
    "of constructor": "ʌv kənstɹˈʌktəɹ",
    "Ask {Sharma|SHAR-ma} again": "ˈæsk ʃˈɑɹmə əɡˈɛn",
    "{the|DHEE}": "ðˈi",
    "{Rao|<b>}": "ɹˈW",
    "the XRT": "ði ˈɛksˈɑɹtˈi",
  };
  for (const [text, letters] of Object.entries(cases)) {
    test(text, () => expect(phonemesOf(text, wordSounds)).toBe(letters));
  }
});

test("its numbers are those of Kokoro's tokenizer, both in whole words and in short parts", () => {
  expect(numbersOf("həlˈO, ju")).toEqual([[50, 83, 54, 156, 31, 3, 16, 52, 63]]);
  const parts = numbersOf(Array(200).fill("dˈʌbəlju").join(" "));
  expect(parts.length).toBeGreaterThan(1);
  for (const part of parts) expect(part.length).toBeLessThanOrEqual(300);
  expect(parts.flat()).toHaveLength(200 * 8 + 199);
  expect(numbersOf(" , . ")).toEqual([]);
});

test("whatever is read of a text has only letters that the network knows, all of them", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      for (const sentence of sentencesOf(text)) {
        const phonemes = phonemesOf(sentence, wordSounds);
        expect(numbersOf(phonemes).flat().length).toBe(numbersOf(phonemes).length === 0 ? 0 : phonemes.length);
      }
    }),
    { numRuns: 30 },
  );
});
