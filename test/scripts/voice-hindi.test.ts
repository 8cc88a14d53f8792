// How the Hindi voices are judged: what counts as a letter heard wrongly, and what the table makes of it.
import { describe, expect, test } from "bun:test";
import { characterErrors } from "../../scripts/character-errors.ts";
import { HINDI_SENTENCES } from "../../scripts/hindi-sentences.ts";
import { difference, errorRate, hindiTable, type HindiResult } from "../../scripts/voice-hindi-table.ts";

describe("letters heard wrongly", () => {
  test.each([
    ["नमस्ते।", "नमस्ते", 0],
    ["हाँ, मैं हूँ", "हां मैं हूं", 0],
    ["ज़रूर", "जरूर", 0],
    ["पानी पी", "पानीपी", 0],
    ["दस बजे", "बस बजे", 1],
    ["दस", "", 2],
    ["कल", "कमल", 1],
    ["कमरा 12", "कमरा १२", 0],
  ])("%s heard as %s: %d", (said, heard, errors) => {
    expect(characterErrors(said, heard).errors).toBe(errors);
  });

  test("are counted against the letters of what was said", () => {
    expect(characterErrors("दस बजे!", "").letters).toBe(5);
  });
});

test("there are sixty sentences and more, none of them twice", () => {
  expect(new Set(HINDI_SENTENCES).size).toBe(HINDI_SENTENCES.length);
  expect(HINDI_SENTENCES.length).toBeGreaterThanOrEqual(60);
});

const result = (change: Partial<HindiResult>): HindiResult => ({
  decoder: "hindi",
  voice: "hi-alpha",
  sentence: 0,
  seed: 1,
  errors: 1,
  letters: 10,
  seconds: 2,
  cpuSeconds: 0.1,
  heard: "",
  ...change,
});

describe("the table", () => {
  test("counts all letters together, so that a long sentence weighs more", () => {
    expect(errorRate([result({}), result({ errors: 9, letters: 90 })])).toBe(10);
    expect(errorRate([])).toBe(0);
  });

  test("tells a difference that every sentence shows from one that chance may have made", () => {
    const pairs = (errorsOf: (sentence: number) => [number, number]) =>
      Array.from({ length: 40 }, (_, sentence) => {
        const [english, hindi] = errorsOf(sentence);
        return [result({ decoder: "english", sentence, errors: english }), result({ sentence, errors: hindi })];
      }).flat();
    expect(
      difference(
        pairs(() => [3, 1]),
        "english",
        "hindi",
      ),
    ).toEqual([20, 20, 20]);
    const [gain, least, most] = difference(
      pairs((at) => (at % 2 === 0 ? [2, 1] : [1, 2])),
      "english",
      "hindi",
    );
    expect(gain).toBe(0);
    expect(least).toBeLessThan(0);
    expect(most).toBeGreaterThan(0);
  });

  test("has a row for each decoder, voice and seed, and tells the loops apart", () => {
    const text = hindiTable([
      result({ decoder: "english", errors: 2 }),
      result({ errors: 131, seed: 2, voice: "hi-psi" }),
      result({ errors: 1, seed: 2, voice: "hi-psi" }),
    ]);
    expect(text).toMatch(/^english +1 +20\.0 % +0 +20\.0 % +0\.050$/m);
    expect(text).toMatch(/^hindi +2 +660\.0 % +1 +10\.0 % +0\.050$/m);
    expect(text).toContain("seed 2");
    expect(text).toContain("1 sentences.");
  });
});
