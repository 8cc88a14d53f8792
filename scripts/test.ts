// Runs the stages of scripts/test in order, all of them even when one fails, and adds up what passed and failed.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runBunTestsInLanes, type Tally } from "./bun-tests.ts";
import { DEBIAN_PACKAGES, installPackages } from "./debian-packages.ts";

const ROOT = join(import.meta.dir, "..");
const BINARY = join(ROOT, "dist", "ringward");
const BLACK_BOX_TESTS = ["test/scenarios/", "test/browser/"];
const IS_CI = process.env["CI"] === "true";

let buildFailed = false;

interface Stage {
  name: string;
  run: () => Tally | Promise<Tally>;
}

const STAGES: Stage[] = [
  { name: "format", run: () => check(["run", "oxfmt", "--check"]) },
  { name: "lint", run: () => check(["run", "oxlint"]) },
  { name: "types", run: () => check(["run", "tsc", "--noEmit"]) },
  {
    name: "unit",
    run: () =>
      runWithPrograms(
        testFiles().filter((file) => !isBlackBox(file)),
        {},
      ),
  },
  { name: "build", run: buildExecutable },
  { name: "scenarios", run: runScenarios },
];

/** One tool, run by Bun so that a machine without Node can check too; it passes or fails as a whole. */
function check(args: string[]): Tally {
  const run = Bun.spawnSync([process.execPath, "--bun", ...args], { cwd: ROOT, stdout: "inherit", stderr: "inherit" });
  return run.success ? { passed: 1, failed: 0, tests: 0 } : { passed: 0, failed: 1, tests: 0 };
}

function buildExecutable(): Tally {
  const tally = check(["scripts/build.ts"]);
  buildFailed = tally.failed > 0;
  return tally;
}

function testFiles(): string[] {
  return [...new Bun.Glob("test/**/*.test.ts").scanSync(ROOT)].toSorted();
}

function isBlackBox(file: string): boolean {
  return BLACK_BOX_TESTS.some((folder) => file.startsWith(folder));
}

/** The tests that see Ringward from outside: the executable just built, a browser, other programs. */
async function runScenarios(): Promise<Tally> {
  const files = testFiles().filter(isBlackBox);
  if (buildFailed && files.length > 0) {
    console.log("Not run: the build failed, and these tests need the executable.");
    return { passed: 0, failed: 1, tests: 0 };
  }
  return runWithPrograms(files, { RINGWARD_BINARY: BINARY });
}

/** Leaves out, with the reason, the tests whose programs are missing and cannot be installed; with CI=true they failed. */
async function runWithPrograms(wanted: string[], env: Record<string, string>): Promise<Tally> {
  let files = wanted;
  let failed = 0;
  for (const debianPackage of DEBIAN_PACKAGES) {
    const globs = debianPackage.usedBy.map((glob) => new Bun.Glob(glob));
    const needing = files.filter((file) => globs.some((glob) => glob.match(file)));
    if (needing.length === 0) continue;
    const reason = installPackages([debianPackage]);
    if (!reason) continue;
    console.log(`SKIPPED for want of ${debianPackage.name} (${reason}): ${needing.join(", ")}`);
    if (IS_CI) failed += needing.length;
    files = files.filter((file) => !needing.includes(file));
  }
  const tally = await runBunTestsInLanes(files, env);
  return { ...tally, failed: tally.failed + failed };
}

function stagesAsked(): Stage[] {
  const { only } = parseArgs({ options: { only: { type: "string" } } }).values;
  if (only === undefined) return STAGES;
  const names = STAGES.map(({ name }) => name);
  if (!names.includes(only)) throw new Error(`--only takes one of: ${names.join(", ")}.`);
  // Scenarios against an old executable would prove nothing.
  return STAGES.filter(({ name }) => name === only || (only === "scenarios" && name === "build"));
}

async function runStages(stages: Stage[]): Promise<Tally> {
  const total: Tally = { passed: 0, failed: 0, tests: 0 };
  for (const { name, run } of stages) {
    console.log(`\n== ${name}`);
    const startedMs = performance.now();
    const { passed, failed, tests } = await run();
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    console.log(`== ${name}: ${failed > 0 ? "FAILED" : "ok"} after ${seconds} s`);
    total.passed += passed;
    total.failed += failed;
    total.tests += tests;
  }
  return total;
}

try {
  const stages = stagesAsked();
  const { passed, failed, tests } = await runStages(stages);
  const ranNoTest = tests === 0 && stages.some(({ name }) => name === "unit" || name === "scenarios");
  if (ranNoTest) console.log("\nNo test ran at all, which proves nothing: that is a failure too.");
  const failures = failed + (ranNoTest ? 1 : 0);
  console.log(`\n${passed} passed, ${failures} failed`);
  process.exitCode = failures > 0 ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
