// What a name, an e-mail address and a language tag may hold.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { checkedName, isLanguageTag, isSafeText, nameText, visibleName } from "../../src/core/names.ts";
import { Value } from "@sinclair/typebox/value";

describe("a name", () => {
  test.each([
    ["Meera Rao"],
    ["Zoë O'Brien-Smith"],
    ["मीरा नायर"],
    // A zero-width joiner shapes letters of Hindi, and joins emoji.
    ["क्‍ष"],
    ["👩‍⚕️"],
    ["محمد"],
    ["山田 太郎"],
    [""],
  ])("%j is taken", (name) => expect(isSafeText(name)).toBeTrue());

  test.each([
    ["CR and LF", "a\r\nBcc: b@example.org"],
    ["a tab", "a\tb"],
    ["NUL", "a\0b"],
    ["a C1 control", "a\u0085b"],
    ["half a pair, first", "a\ud83d"],
    ["half a pair, second", "\ude00a"],
    ["pairs the wrong way round", "\ude00\ud83d"],
    ["an override of direction", "\u202Egnp.exe"],
    ["an isolate", "\u2066a\u2069"],
    ["a mark of direction", "a\u200fb"],
    ["the Arabic one", "a\u061cb"],
  ])("with %s is refused", (_, name) => {
    expect(isSafeText(name)).toBeFalse();
    expect(() => checkedName("name", name, 100)).toThrow("name must be text without line breaks");
    expect(Value.Check(nameText(100), name)).toBeFalse();
    expect(Value.Check(visibleName(100), name)).toBeFalse();
  });

  test("of any text: taken exactly where it is well formed and has none of these", () => {
    const odd = fc.constantFrom("\r", "\n", "\u202e", "\u2069", "\u061c", "\ud800", "\udfff", "\u0007");
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 8, arbitrary: fc.string({ unit: "grapheme", maxLength: 5 }) }, odd)),
        (parts) => {
          const text = parts.join("");
          const bad = !text.isWellFormed() || /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text);
          expect(isSafeText(text)).toBe(!bad);
        },
      ),
    );
  });

  test("that is blank or long is refused, and a long one takes no time", () => {
    for (const name of ["", "   ", "a".repeat(101)]) expect(() => checkedName("name", name, 100)).toThrow("1 to 100");
    expect(Value.Check(visibleName(100), "   ")).toBeFalse();
    const startedMs = performance.now();
    isSafeText("a".repeat(4_000_000));
    for (const long of ["a".repeat(4_000_000), " ".repeat(4_000_000)])
      for (const schema of [nameText(200), visibleName(100)]) expect([...Value.Errors(schema, long)].length).toBe(2);
    // A search through all of it took 2.7 s.
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  });
});

test.each([
  ["hi", true],
  ["en-IN", true],
  ["zh-Hant-TW", true],
  ["sl-rozaj-biske-1994", true],
  ["Hindi", true],
  ["", true],
  ["../../etc/passwd", false],
  ["en/IN", false],
  ["en_IN", false],
  ["en-IN\n", false],
  ["h", false],
  ["en-", false],
  ["en-toolongsubtag", false],
  ["हिन्दी", false],
])("the language %j: %p", (tag, isTag) => expect(isLanguageTag(tag)).toBe(isTag));
