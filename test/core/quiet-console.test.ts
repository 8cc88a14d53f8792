import { expect, test } from "bun:test";
import { quietConsole, type QuietedConsole } from "../../src/core/quiet-console.ts";

test("what a library writes to the console is told by the log, from where and without its words", () => {
  const written: unknown[] = [];
  const write = (...words: unknown[]) => void written.push(...words);
  const target: QuietedConsole = { debug: write, error: write, info: write, log: write, trace: write, warn: write };
  const logged: Record<string, unknown>[] = [];
  quietConsole({ warn: (message, fields) => void logged.push({ message, ...fields }) }, target);
  function someLibrary() {
    target.log("[Library] cannot read", { name: "Asha Rao" });
    target.error("Asha Rao");
  }
  someLibrary();
  expect(written).toEqual([]);
  expect(logged).toMatchObject([
    { message: "A library wrote to the console.", method: "log", trace: expect.stringContaining("someLibrary") },
    { method: "error" },
  ]);
  expect(JSON.stringify(logged)).not.toContain("Asha");
});
