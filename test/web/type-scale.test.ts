// Sizes and families of text come from the tokens alone, so that a new page cannot add one.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const SRC = join(import.meta.dir, "../../src");
const SHEETS = [...new Bun.Glob("**/*.css").scanSync(SRC)].filter((file) => !file.endsWith("tokens.css")).toSorted();

/** What else is a size: of paper, and of inputs into which Safari zooms. */
const EXEMPT = ["font-size: 11pt", "font-size: 16px"];

test("no style sheet has a font size of its own", () => {
  expect(SHEETS.length).toBeGreaterThan(25);
  const odd = SHEETS.flatMap((file) => {
    const code = readFileSync(join(SRC, file), "utf8");
    const rules = [...code.matchAll(/font(?:-size)?:\s*[^;]+/g)].map(([rule]) => rule);
    return rules
      .filter((rule) => !/: (?:inherit|var\(--size-(?:large|text|small)\))$/.test(rule) && !EXEMPT.includes(rule))
      .map((rule) => `${file}: ${rule}`);
  });
  expect(odd).toEqual([]);
});
