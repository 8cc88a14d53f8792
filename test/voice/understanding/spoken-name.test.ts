// Names given in answer to the name question, and answers without one.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { isSafeText } from "../../../src/core/names.ts";
import { spokenName } from "../../../src/voice/understanding/spoken-name.ts";

test.each([
  ["Asha.", "Asha"],
  ["asha rao", "Asha Rao"],
  ["My name is Asha Rao.", "Asha Rao"],
  ["Yes, my name is Asha.", "Asha"],
  ["Sure. This is Asha Rao speaking.", "Asha Rao"],
  ["It's Asha.", "Asha"],
  ["I am Ravi Kumar, thank you.", "Ravi Kumar"],
  ["Myself Ravi.", "Ravi"],
  ["Um, Asha Rao, please.", "Asha Rao"],
  ["The name's O'Neill.", "O'Neill"],
  ["No, my name is Asha.", "Asha"],
  ["Her name is Leela McDonald.", "Leela McDonald"],
  ["My mother's name is Leela.", "Leela"],
  ["Asha, Asha Rao.", "Asha Rao"],
  ["A, S, H, A.", "Asha"],
  ["A-S-H-A", "Asha"],
  ["ASHA RAO", "Asha Rao"],
  ["Mera naam Asha hai.", "Asha"],
  ["Main Asha bol rahi hoon.", "Asha"],
  ["मेरा नाम आशा राव है।", "आशा राव"],
  ["Anne-Marie", "Anne-Marie"],
  ["Noor", "Noor"],
  ["Will Smith", "Will Smith"],
])("%s", (said, name) => {
  expect(spokenName(said)?.name ?? null).toBe(name);
});

test.each([
  "",
  "Yes.",
  "No.",
  "What do you need that for?",
  "I would rather not say.",
  "It is for my mother.",
  "I am busy.",
  "I have chest pain.",
  "Please help me.",
  "Tomorrow at ten.",
  "Nine eight seven six",
  "9876543210",
  "Speaking.",
  "That is right.",
  "A",
  "Alpha bravo charlie delta echo",
  "x".repeat(5_000),
  "Asha\u202eohsA",
  "Asha <script>",
])("%j is no name", (said) => {
  expect(spokenName(said)).toBeNull();
});

test("a name is always short, made of letters, and part of the utterance", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (said) => {
      const found = spokenName(said);
      if (!found) return;
      expect(found.name.length).toBeLessThanOrEqual(60);
      expect(isSafeText(found.name)).toBe(true);
      expect(found.name).toMatch(/^[\p{L}\p{M}\p{Join_C}' -]+$/u);
    }),
    { numRuns: 300 },
  );
});
