// Spoken key names.
import { expect, test } from "bun:test";
import { spokenKey } from "../../../src/voice/understanding/spoken-key.ts";

test.each([
  ["One.", "1"],
  ["1", "1"],
  ["Press two.", "2"],
  ["I'll press number three, please.", "3"],
  ["Um, zero.", "0"],
  ["Option nine", "9"],
  ["star", "*"],
])("%p is %s", (text, key) => expect(spokenKey(text)).toBe(key));

test.each([
  "the first one I think",
  "one two",
  "12",
  "at two",
  "two o'clock",
  "No one",
  "yes",
  "press",
  "",
  "that one would be good for me and my wife, press one",
])("%p names no key", (text) => expect(spokenKey(text)).toBeNull());
