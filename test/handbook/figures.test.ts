// Tables of measured figures in the handbook come from figures.json, where each has its command, date and machine.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  blocksIn,
  lastTable,
  markdownOf,
  readFigures,
  withFigures,
  withoutBlocks,
} from "../../scripts/figures-page.ts";

const ROOT = join(import.meta.dir, "../..");
const FOLDER = join(ROOT, "src/handbook");
const all = await readFigures();
const pages = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".md"))
  .map((name) => [name, readFileSync(join(FOLDER, name), "utf8")] as const);
const figuresText = JSON.stringify(all);

/** The formatter aligns columns. */
const unaligned = (markdown: string) => markdown.replaceAll(/-{3,}/g, "---").replaceAll(/ +/g, " ");

/** A number with a unit in which things are measured. */
const MEASURED = /\d[\d,.]* ?(?:ms|µs|MB|%|\/s)(?![\w/])/;

describe("figures.json", () => {
  test.each(Object.entries(all))("%s has a command, a day, a machine and a whole table", (_, figures) => {
    const [script = ""] = figures.command.split(" ");
    expect(existsSync(join(ROOT, script))).toBe(true);
    expect(figures.date).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(figures.machine).not.toBe("");
    expect(figures.table.length).toBeGreaterThanOrEqual(2);
    expect(new Set(figures.table.map((row) => row.length)).size).toBe(1);
  });

  test("is shown whole, each table once", () => {
    expect(pages.flatMap(([, page]) => blocksIn(page)).toSorted()).toEqual(Object.keys(all).toSorted());
  });
});

describe.each(pages)("%s", (name, page) => {
  test("shows its figures as the file has them", () => {
    expect(unaligned(page)).toBe(unaligned(withFigures(page, all)));
  });

  test("has no result of a measurement that the file does not hold", () => {
    const results = withoutBlocks(page).match(/\b\d+\.\d+ %/g) ?? [];
    expect(results.filter((result) => !figuresText.includes(result))).toEqual([]);
  });

  if (name !== "proofs.md" && name !== "benchmarks.md") return;
  test("has no table of figures of its own", () => {
    const rows = withoutBlocks(page)
      .split("\n")
      .filter((line) => line.startsWith("|"));
    expect(rows.filter((row) => MEASURED.test(row))).toEqual([]);
  });
});

describe("a table", () => {
  const figures = {
    command: "./scripts/soak",
    date: "2026-11-18",
    machine: "here",
    table: [
      ["a", "b"],
      ["1", "2 ms"],
    ],
  };
  const page = "# P\n\n<!-- figures soak -->\n\nold\n\n<!-- end of figures -->\n\nText\n";

  test("takes the place of the one before, with command, date and machine", () => {
    const written = withFigures(page, { soak: figures });
    expect(written).toBe(
      page.replace("old", "`./scripts/soak`, 2026-11-18; here:\n\n| a | b |\n| --- | --- |\n| 1 | 2 ms |"),
    );
    expect(withFigures(written, { soak: figures })).toBe(written);
    expect(() => withFigures(page, {})).toThrow('no figures "soak"');
    expect(withoutBlocks(written)).not.toContain("2 ms");
  });

  test("has its heading wrapped at 120 columns", () => {
    const [longest = 0] = markdownOf({ ...figures, machine: "word ".repeat(80).trim() })
      .split("\n")
      .map(({ length }) => length)
      .toSorted((a, b) => b - a);
    expect(longest).toBeLessThanOrEqual(120);
  });

  test("is read from a program's output, Markdown or columns, the last one", () => {
    const columns = "starting\n\nx  y\n0  0\n\nmeasure    result\nlog        4.3 MB\nfiles open  32\n\ndone\n";
    expect(lastTable(columns)).toEqual([
      ["measure", "result"],
      ["log", "4.3 MB"],
      ["files open", "32"],
    ]);
    expect(lastTable("text\n| a | b |\n| --- | ---: |\n| c \\| d | 1 |\n")).toEqual([
      ["a", "b"],
      ["c \\| d", "1"],
    ]);
    expect(() => lastTable("no table here\n")).toThrow("printed no table");
  });
});
