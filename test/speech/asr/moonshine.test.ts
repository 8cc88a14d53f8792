// Sentences through the recogniser's real networks, and its bounds.
import { beforeAll, describe, expect, test } from "bun:test";
import { endsInCircle, loadMoonshine, type Moonshine } from "../../../src/speech/asr/moonshine.ts";
import { createTokens } from "../../../src/speech/asr/tokens.ts";
import { forRecogniser } from "../../../src/speech/asr/utterance.ts";
import { loadRuntime } from "../../../src/speech/onnx/runtime.ts";
import { plain, spoken, SPOKEN } from "../spoken.ts";

let moonshine: Moonshine;
beforeAll(async () => {
  moonshine = await loadMoonshine(await loadRuntime(""));
}, 180_000);

describe("the recogniser", () => {
  for (const [name, text] of Object.entries(SPOKEN) as [keyof typeof SPOKEN, string][]) {
    test(`hears "${text}", quiet or loud`, async () => {
      const samples = await spoken(name);
      for (const loudness of [1, 0.1]) {
        const heard = moonshine.transcribe(forRecogniser(samples.map((sample) => sample * loudness)));
        expect(plain(heard.text)).toBe(plain(text));
        expect(heard.confidence).toBeGreaterThan(0.5);
        expect(heard.confidence).toBeLessThanOrEqual(1);
      }
    }, 180_000);
  }

  test("writes at most as much for a tone or hum as could be said in that time", () => {
    const hum = Int16Array.from({ length: 8_000 }, (_, at) => 8_000 * Math.sin(at / 10));
    const { text } = moonshine.transcribe(forRecogniser(hum));
    expect(text.split(" ").length).toBeLessThanOrEqual(11);
  }, 180_000);
});

test("a repetition of one or more tokens is detected at its fourth round", () => {
  expect(endsInCircle([5, 7, 7, 7])).toBe(false);
  expect(endsInCircle([5, 7, 7, 7, 7])).toBe(true);
  expect(endsInCircle([1, 2, 1, 2, 1, 2])).toBe(false);
  expect(endsInCircle([1, 2, 1, 2, 1, 2, 1, 2])).toBe(true);
  expect(endsInCircle([1, 2, 3, 4, 5, 6, 7, 8])).toBe(false);
});

test("tokens become text: pieces with spaces, bytes to characters, training symbols dropped", () => {
  const pieces = [...Array<string>(259).fill(""), "\u2581Tues", "day", "\u2581at"];
  const tokens = createTokens(pieces);
  expect(tokens.textOf([1, 259, 260, 261, 2])).toBe("Tuesday at");
  expect(tokens.textOf([3 + 0xc3, 3 + 0xa9])).toBe("é");
  expect(tokens.textOf([40_000])).toBe("");
});

test("audio for the recogniser has twice the samples and a normalised level, with limited gain", () => {
  const tone = Int16Array.from({ length: 800 }, (_, at) => 1_000 * Math.sin(at / 3));
  const wide = forRecogniser(tone);
  expect(wide.length).toBe(1_600);
  expect(Math.max(...wide)).toBeCloseTo(0.6, 1);
  expect(Math.max(...forRecogniser(tone.map((sample) => sample / 100)))).toBeLessThan(0.01);
});
