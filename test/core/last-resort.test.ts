// Faults that nothing catches, in a process of its own: `bun test` would take them for failures of its own.
import { expect, test } from "bun:test";
import { join } from "node:path";

const PROGRAM = `
import { unheldClock } from "./clock.ts";
import { limitRepeats } from "./few-repeats.ts";
import { hearStrayFaults } from "./last-resort.ts";
const log = (message, fields) => console.log(JSON.stringify({ message, ...fields }));
const count = hearStrayFaults(limitRepeats({ error: log }, unheldClock));
for (let i = 0; i < 20; i++) void Promise.reject(new RangeError("of Meera"));
setImmediate(() => { throw new TypeError("of Meera"); });
while (count() < 21) await new Promise((resolve) => setImmediate(resolve));
console.log(JSON.stringify({ count: count() }));
process.exit(0);
`;

test("they are counted, a few are logged without their words, and the process goes on", () => {
  const run = Bun.spawnSync([process.execPath, "-e", PROGRAM], { cwd: join(import.meta.dir, "../../src/core") });
  const lines = String(run.stdout)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(run.exitCode).toBe(0);
  expect(lines.at(-1)).toEqual({ count: 21 });
  // Five of the twenty, and the first of another kind.
  expect(lines).toHaveLength(7);
  expect(lines[0]).toMatchObject({ thread: "main", error: "RangeError" });
  expect(String(run.stdout)).not.toContain("Meera");
});
