// A spreadsheet never runs an exported cell as a formula.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { csvLine } from "../../src/core/csv-line.ts";

test.each([
  ["=1+1", "'=1+1"],
  [" =1+1", "' =1+1"],
  ["\u00a0\u3000=1+1", "'\u00a0\u3000=1+1"],
  ["\u200b=1+1", "'\u200b=1+1"],
  ["\ufeff=1+1", "'\ufeff=1+1"],
  ["＝1+1", "'＝1+1"],
  ["＋1", "'＋1"],
  ["－1", "'－1"],
  ["＠SUM(A1)", "'＠SUM(A1)"],
  ["﹦1", "'﹦1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["-1", "'-1"],
  ["\t=1", '"\'\t=1"'],
  ["\n=1", '"\'\n=1"'],
  ["a;=1+1", '"a;=1+1"'],
  ["a\t=1+1", '"a\t=1+1"'],
  ["+919810012345", "+919810012345"],
  ["Meera Rao", "Meera Rao"],
  ["  Meera", "  Meera"],
  ['say "x"', '"say ""x"""'],
])("%j becomes %j", (cell, expected) => expect(csvLine([cell])).toBe(`${expected}\r\n`));

test("a cell is text whatever precedes the formula character", () => {
  const blank = fc.constantFrom(" ", "\t", "\u00a0", "\u3000", "\u200b", "\ufeff", "\r", "\n", "\u2060");
  const sign = fc.constantFrom("=", "+", "-", "@", "＝", "＋", "－", "＠");
  fc.assert(
    fc.property(fc.array(blank, { maxLength: 5 }), sign, fc.string(), (blanks, begins, rest) => {
      const cell = `${blanks.join("")}${begins}${rest}`;
      fc.pre(!/^\+\d+$/.test(cell));
      const line = csvLine([cell]);
      expect(line.replace(/^"/, "")).toStartWith("'");
    }),
  );
});
