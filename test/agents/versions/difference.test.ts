// Difference between two versions: nothing is lost, and unchanged text is not reported as changed.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { differences, textDifference, type TextPiece } from "../../../src/agents/versions/difference.ts";

const without = (kind: TextPiece["kind"], pieces: readonly TextPiece[]) =>
  pieces
    .filter((piece) => piece.kind !== kind)
    .map(({ text }) => text)
    .join("");

describe("two texts", () => {
  test.each<[string, string, string]>([
    ["Hello there.", "Hello there.", "Hello there."],
    ["", "Hello.", "{+Hello.+}"],
    ["Hello.", "", "[-Hello.-]"],
    ["Ask about the visit.", "Ask kindly about the visit.", "Ask {+kindly +}about the visit."],
    ["Good morning {{user_name}}.", "Good evening {{user_name}}.", "Good [-morning-]{+evening+} {{user_name}}."],
    ["Hello {{user_name}}.", "Hello {{user_name}}, good day.", "Hello {{user_name}}{+, good day+}."],
    ["a b c d", "a x c y", "a [-b-]{+x+} c [-d-]{+y+}"],
    ["one\ntwo\nthree", "one\nthree", "one\n[-two\n-]three"],
  ])("%j → %j", (before, after, shown) => {
    const marks = { same: ["", ""], removed: ["[-", "-]"], added: ["{+", "+}"] } as const;
    expect(
      textDifference(before, after)
        .map(({ kind, text }) => marks[kind].join(text))
        .join(""),
    ).toBe(shown);
  });

  test("are reproduced completely, and adjacent pieces differ in kind", () => {
    const words = fc.array(fc.constantFrom("a", "b", "c", " ", "\n", "  "), { maxLength: 40 }).map((w) => w.join(""));
    fc.assert(
      fc.property(words, words, (before, after) => {
        const pieces = textDifference(before, after);
        expect(without("added", pieces)).toBe(before);
        expect(without("removed", pieces)).toBe(after);
        expect(pieces.every(({ kind, text }, i) => text !== "" && kind !== pieces[i - 1]?.kind)).toBeTrue();
        if (before === after) expect(pieces.every(({ kind }) => kind === "same")).toBeTrue();
      }),
    );
  });

  test("with nothing in common are shown one after the other, even at maximum length", () => {
    const [before, after] = ["x ".repeat(16_000), "y ".repeat(16_000)];
    const pieces = textDifference(before, after);
    expect(without("added", pieces)).toBe(before);
    expect(without("removed", pieces)).toBe(after);
  });
});

describe("two versions", () => {
  test("differ in the fields that were changed", () => {
    const before = { name: "Asha", greeting: "Hello.", retry_outcomes: ["busy"], calling_hours: null };
    const after = { ...before, greeting: "Namaste.", calling_hours: { start: "09:00", end: "10:00", days: [1] } };
    expect(differences(before, after)).toEqual([
      {
        field: "greeting",
        before: "Hello.",
        after: "Namaste.",
        pieces: [
          { kind: "removed", text: "Hello" },
          { kind: "added", text: "Namaste" },
          { kind: "same", text: "." },
        ],
      },
      { field: "calling_hours", before: null, after: after.calling_hours, pieces: null },
    ]);
  });

  test("do not differ in a field added later", () => {
    expect(differences({ name: "Asha" }, { name: "Asha", analysis_fields: [] })).toEqual([]);
  });
});
