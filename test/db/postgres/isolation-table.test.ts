// The isolation table of the handbook names existing files and functions.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../../..");

test("every file, function and test of the isolation table exists", () => {
  const page = readFileSync(join(ROOT, "src/handbook/architecture.md"), "utf8");
  const table = page.slice(page.indexOf("## Isolation"), page.indexOf("## Guarantees"));
  const places = [...table.matchAll(/\| `([\w/.-]+\.ts)` (\w+) +\|/g)];
  expect(places.length).toBeGreaterThan(15);
  for (const [, file = "", name = ""] of places)
    expect(readFileSync(join(ROOT, "src", file), "utf8"), file).toMatch(new RegExp(`\\b${name}\\b`));
  const tests = [...table.matchAll(/`(test\/[\w/.-]+)`/g)].map(([, file = ""]) => file);
  expect(tests.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});
