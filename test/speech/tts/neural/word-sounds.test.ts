import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { CLINIC_WORDS } from "../../../../src/speech/tts/neural/clinic-words.ts";
import { createDictionary } from "../../../../src/speech/tts/neural/dictionary.ts";
import { soundsOfRespelling } from "../../../../src/speech/tts/neural/respelling.ts";
import { createWordSounds } from "../../../../src/speech/tts/neural/word-sounds.ts";
import { dictionary, lettersToSounds, wordSounds } from "./english.ts";

describe("the dictionary", () => {
  const small = createDictionary(new TextEncoder().encode("a AH0\nab AE1 B\nabc K\nb B IY1\n"));

  test("finds the first, the last and every word between, and no part of one", () => {
    expect(["a", "ab", "abc", "b"].map((word) => small(word)?.join(" "))).toEqual(["AH0", "AE1 B", "K", "B IY1"]);
    expect(["", "aa", "abcd", "bb", "c", "A"].map(small)).toEqual(Array(6).fill(null));
  });

  test("has the words of every day", () => {
    expect(dictionary("appointment")?.join(" ")).toBe("AH0 P OY1 N T M AH0 N T");
    expect(dictionary("zzz")).toBeNull();
  });
});

test("letters become sounds, as the network was trained", () => {
  expect(lettersToSounds("activationist").join(" ")).toBe("AE2 K T IH0 V EY1 SH AH0 N IH0 S T");
  expect(lettersToSounds("").length).toBeLessThan(24);
  expect(lettersToSounds("x".repeat(10_000)).length).toBeLessThanOrEqual(24);
});

describe("a respelling", () => {
  const cases: Record<string, string | null> = {
    "SHAR-ma": "SH AA1 R M AH0",
    "shar-ma": "SH AA1 R M AH0",
    "met-FOR-min": "M EH0 T F AO1 R M IH0 N",
    "SH AA1 R M AH0": "SH AA1 R M AH0",
    "SH AA1 R M AH": "SH AA1 R M AH0",
    rao: "R AE1 OW1",
    ROW: "R AW1",
    "POO-nay": "P UW1 N EY0",
    "eye-yen-GAR": "AY0 Y EH0 N G AA1 R",
    "kn-ght": null,
    "": null,
    shar2: null,
    "<b>": null,
    [`${"la-".repeat(30)}la`]: null,
  };
  for (const [written, sounds] of Object.entries(cases)) {
    test(`${written} → ${sounds ?? "refused"}`, () =>
      expect(soundsOfRespelling(written)?.join(" ") ?? null).toBe(sounds));
  }

  test("every clinic word has one that can be read", () => {
    expect(CLINIC_WORDS.size).toBeGreaterThan(200);
    expect([...CLINIC_WORDS].filter(([, said]) => soundsOfRespelling(said) === null)).toEqual([]);
  });

  test("any text gives phonemes or is refused", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (written) => {
        const sounds = soundsOfRespelling(written);
        for (const sound of sounds ?? []) expect(sound).toMatch(/^[A-Z]{1,2}[012]?$/);
      }),
    );
  });
});

describe("a word", () => {
  const said = (word: string) => wordSounds.of(word).join(" ");

  test("is said as the clinic says it, before the dictionary", () => {
    expect(said("Sharma")).toBe("SH AA1 R M AH0");
    expect(said("metformin")).toBe("M EH0 T F AO1 R M IH0 N");
  });

  test("with an ending is said as its stem with the ending's sound", () => {
    expect(said("Sharma's")).toBe("SH AA1 R M AH0 Z");
    expect(said("whatsapped")).toMatch(/ P T$/);
    expect(said("physiotherapists")).toMatch(/ S T S$/);
  });

  test("in British spelling is said as the American one", () => {
    expect(said("haemorrhage")).toBe(said("hemorrhage"));
    expect(said("colour")).toBe(said("color"));
  });

  test("of two known halves is said as both", () => {
    expect(said("wardrounds")).toBe("W AO1 R D R AW2 N D Z");
  });

  test("that is unknown is spelt into phonemes once", () => {
    const asked: string[] = [];
    const words = createWordSounds({ dictionary: () => null, predict: (word) => (asked.push(word), ["B"]) });
    words.of("Xyzzyq");
    expect(words.of("xyzzyq")).toEqual(["B"]);
    expect(asked).toEqual(["xyzzyq"]);
    expect(words.isKnown("xyzzyq")).toBe(false);
  });
});
