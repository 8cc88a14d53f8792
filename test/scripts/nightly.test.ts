// The night's report: every part is told of, whatever became of the one before, and its words are in a log of its own.
import { expect, test } from "bun:test";
import { accessSync, constants, readFileSync } from "node:fs";
import { join } from "node:path";
import { PARTS, type Part } from "../../scripts/nightly-parts.ts";
import { isGood, reportOf, runParts } from "../../scripts/nightly-run.ts";
import { tempFolder } from "../support/temp.ts";

const ROOT = join(import.meta.dir, "../..");

async function nightOf(...parts: Part[]) {
  const folder = join(tempFolder(), "logs");
  const told: string[] = [];
  const tell = ({ name, result }: { name: string; result: string }) => void told.push(`${name}: ${result}`);
  const outcomes = await runParts(parts, { root: ROOT, folder, seed: 7, tell });
  return { outcomes, told, folder };
}

const shell = (name: string, line: string, more: Partial<Part> = {}): Part => ({
  name,
  about: "",
  command: ["sh", "-c", line],
  ...more,
});

test("goes on after parts that fail or cannot be started, and tells of each with its log", async () => {
  const missing: Part = { name: "missing", about: "", command: ["./scripts/there-is-no-such-script"] };
  const { outcomes, told, folder } = await nightOf(
    shell("first", "echo one; echo '3 passed, 0 failed'"),
    shell("second", "echo broken >&2; exit 3"),
    missing,
    shell("last", "echo 4 %", { isMeasurement: true }),
  );
  expect(told).toEqual(["first: passed", "second: FAILED", "missing: FAILED", "last: measured"]);
  expect(isGood(outcomes)).toBeFalse();
  expect(readFileSync(join(folder, "second.log"), "utf8")).toBe("broken\n");
  expect(outcomes[2]?.lastLine).toContain("there-is-no-such-script");
  const report = reportOf(outcomes, "this machine").split("\n");
  expect(report).toContain(`| first | passed | ${outcomes[0]?.seconds} | 3 passed, 0 failed | ${folder}/first.log |`);
  expect(report.at(-1)).toBe("2 passed, 2 failed");
});

test("a night in which every part passes is good", async () => {
  const { outcomes } = await nightOf(shell("first", "exit 0"), shell("last", "exit 0", { isMeasurement: true }));
  expect(isGood(outcomes)).toBeTrue();
});

test("what needs the executable is not run after a failed build: an old one proves nothing", async () => {
  const { told } = await nightOf(
    shell("build", "exit 1"),
    shell("torture", "exit 0", { needsBuild: true }),
    shell("voice", "exit 0"),
  );
  expect(told).toEqual(["build: FAILED", "torture: NOT RUN", "voice: passed"]);
});

test("parts have the night's seed", async () => {
  const { outcomes } = await nightOf({ name: "seeded", about: "", command: ["echo", "--seed", "SEED"] });
  expect(outcomes[0]?.lastLine).toBe("--seed 7");
});

test("every part has a name of its own and a command that is there", () => {
  expect(new Set(PARTS.map(({ name }) => name)).size).toBe(PARTS.length);
  for (const { command } of PARTS) accessSync(join(ROOT, command[0] ?? ""), constants.X_OK);
});

test.each(["build", "unit-postgres", "asterisk", "models", "talk", "alarm-phrases", "mutations", "soak", "torture"])(
  "%s is part of it",
  (name) => {
    expect(PARTS.map((part) => part.name)).toContain(name);
  },
);

test("the command lists its parts, and refuses one that is not there", () => {
  const run = (...args: string[]) => Bun.spawnSync([process.execPath, "scripts/nightly.ts", ...args], { cwd: ROOT });
  const listed = run("--list");
  expect(listed.stdout.toString().split("\n").length).toBeGreaterThan(PARTS.length);
  const refused = run("--only", "build,nonsense");
  expect({ code: refused.exitCode, stderr: refused.stderr.toString() }).toEqual({
    code: 2,
    stderr: "There is no part nonsense; --list names them.\n",
  });
});
