// Runs one tier of the tests: checks, build and test files are jobs of one queue (test-queue.ts), and a failed job
// stops no other. Programs used by tests are installed in parallel with the first jobs.
import { join } from "node:path";
import { askedOf, countOf } from "./asked.ts";
import { countTests, NOTHING, runBunTests, sumOf, type Tally } from "./bun-tests.ts";
import { createDatabaseLook } from "./database-tests.ts";
import { DEBIAN_PACKAGES, installPackages, needs, POSTGRESQL, reasonsFor } from "./debian-packages.ts";
import { postgresOfRun, stopPostgresOfRun } from "./run-postgres.ts";
import { DEFAULT_SEED } from "../test/support/default-seed.ts";
import { closingLines } from "./test-closing.ts";
import { globsWithoutFile, isBlackBox, isEveryday, isOnBoth, isRealTime, isTalk } from "./test-plan.ts";
import { batchesOf, runInLanes, type Job } from "./test-queue.ts";
import { secondsOf, writeSeconds, type Engine, type Seconds } from "./test-seconds.ts";

const HELP = `./scripts/test [options]
  the everyday tier: checks, nearly all unit tests, and tests of each other kind, in under five minutes on two cores
  --all              every test
  --all-on-postgres  also the tests that --all leaves out on PostgreSQL for time; for the night
  --only NAME        of the tier, one of: format, lint, types, build, unit, unit on postgres, scenarios,
                     scenarios on postgres
  --no-install       installs no program on the machine; tests that need one that is missing are skipped
  --seed N           other values for tests by properties; without it, every run tries the same
  --write-seconds    writes how long each file took into scripts/test-seconds.json
The last line is "N passed, N failed, N skipped"; above it stands what failed and what was skipped, with the reasons.
With CI=true a skipped test counts as failed.`;

const ROOT = join(import.meta.dir, "..");
const BINARY = join(ROOT, "dist", "ringward");
const LANES = 4;

const { values: asked } = askedOf(HELP, {
  options: {
    all: { type: "boolean", default: false },
    "all-on-postgres": { type: "boolean", default: false },
    only: { type: "string" },
    "no-install": { type: "boolean", default: false },
    seed: { type: "string" },
    "write-seconds": { type: "boolean", default: false },
  },
});
const isAll = asked.all || asked["all-on-postgres"];

/** Values of --only. */
const CHECKS: Readonly<Record<string, string[]>> = {
  format: ["run", "oxfmt", "--check"],
  lint: ["run", "oxlint"],
  types: ["run", "tsc", "--noEmit"],
};
const KINDS = [...Object.keys(CHECKS), "build", "unit", "unit on postgres", "scenarios", "scenarios on postgres"];
const isAsked = (kind: string) => asked.only === undefined || asked.only === kind;

let total: Tally = NOTHING;
const seconds: Seconds = { sqlite: {}, postgres: {} };
const add = (tally: Tally) => void (total = sumOf(total, tally));
const fail = (failure: string) => add({ ...NOTHING, failed: 1, failures: [failure] });

/** Runs one tool with Bun, so a machine without Node can check too; it passes or fails as a whole. */
async function runTool(name: string, args: string[]): Promise<boolean> {
  const startedMs = performance.now();
  const run = Bun.spawn([process.execPath, "--bun", ...args], { cwd: ROOT, stdout: "inherit", stderr: "inherit" });
  const isGood = (await run.exited) === 0;
  if (isGood) add({ ...NOTHING, passed: 1 });
  else fail(name);
  const took = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`== ${name}: ${isGood ? "ok" : "FAILED"} after ${took} s`);
  return isGood;
}

const checkJobs = (): Job[] =>
  Object.entries(CHECKS)
    .filter(([name]) => isAsked(name))
    .map(([name, args]) => ({ name, seconds: 60, run: async () => void (await runTool(name, args)) }));

interface Wanted {
  engine: Engine;
  file: string;
}

const TEST_FILES = [...new Bun.Glob("test/**/*.test.ts").scanSync(ROOT)].toSorted();

function wantedTests(): Wanted[] {
  const asksDatabase = createDatabaseLook(ROOT);
  const isOn = (engine: Engine, file: string) =>
    engine === "sqlite" || ((isBlackBox(file) || asksDatabase(file)) && isOnBoth(file, asked["all-on-postgres"]));
  const kindOf = ({ engine, file }: Wanted) =>
    (isBlackBox(file) ? "scenarios" : "unit") + (engine === "postgres" ? " on postgres" : "");
  return (["sqlite", "postgres"] as const)
    .flatMap((engine) => TEST_FILES.map((file) => ({ engine, file })))
    .filter(({ engine, file }) => isAll || isEveryday(file, engine))
    .filter((wanted) => isAsked(kindOf(wanted)) && isOn(wanted.engine, wanted.file));
}

const packagesFor = ({ engine, file }: Wanted) =>
  DEBIAN_PACKAGES.filter((each) => (each === POSTGRESQL && engine === "postgres") || needs(each)(file));

/** After the installation: the runnable tests, without those whose programs are still missing. */
async function withPrograms(wanted: Wanted[]): Promise<Wanted[]> {
  const needed = DEBIAN_PACKAGES.filter((each) => wanted.some((one) => packagesFor(one).includes(each)));
  const missing = needed.filter(({ isThere }) => !isThere());
  const reasons = asked["no-install"] ? reasonsFor(missing, "--no-install was given") : await installPackages(missing);
  const lacking = (one: Wanted) => packagesFor(one).find(({ name }) => reasons.has(name));
  for (const one of wanted) {
    const program = lacking(one);
    if (!program) continue;
    const tests = await countTests(one.file);
    const reason = `needs ${program.name} (${reasons.get(program.name)})`;
    add({ ...NOTHING, skipped: tests, skips: [{ file: one.file, tests, reason }] });
  }
  return wanted.filter((one) => !lacking(one));
}

function testJobs(wanted: readonly Wanted[]): Job[] {
  return (["sqlite", "postgres"] as const).flatMap((engine) => {
    const ofEngine = wanted.filter((one) => one.engine === engine).map(({ file }) => file);
    // Real-time tests run in separate processes with priority.
    const alone = ofEngine.filter(isRealTime).map((file) => ({ files: [file], seconds: secondsOf(file, engine) }));
    const together = batchesOf(
      ofEngine.filter((file) => !isRealTime(file)),
      (file) => secondsOf(file, engine),
    );
    return [...alone, ...together].map(({ files, seconds: each }) => ({
      name: files.join(" "),
      seconds: each ?? Infinity,
      isTalk: files.some(isTalk),
      run: () => runTests(files, engine),
    }));
  });
}

async function runTests(files: string[], engine: Engine): Promise<void> {
  const isPostgresNeeded = engine === "postgres" || files.some(needs(POSTGRESQL));
  const env = {
    ...(engine === "postgres" ? { RINGWARD_TEST_POSTGRES: "1" } : {}),
    ...(isPostgresNeeded ? await postgresOfRun() : {}),
    ...(files.some(isBlackBox) ? { RINGWARD_BINARY: BINARY } : {}),
    ...(asked.seed === undefined ? {} : { RINGWARD_SEED: asked.seed }),
  };
  const found = await runBunTests(files, { env, isUrgent: files.some(isRealTime) });
  Object.assign(seconds[engine], found.seconds);
  const onPostgres = (failure: string) => (engine === "postgres" ? `on PostgreSQL, ${failure}` : failure);
  add({ ...found, failures: found.failures.map(onPostgres) });
}

/** The build is a job; the tests of the executable are queued once it is done. */
function buildJob(): { job: Job; isBuilt: Promise<boolean> } {
  const built = Promise.withResolvers<boolean>();
  const run = async () => built.resolve(await runTool("build", ["scripts/build.ts", "--full"]));
  return { job: { name: "build", seconds: Infinity, run }, isBuilt: built.promise };
}

async function runAll(): Promise<void> {
  const forgotten = globsWithoutFile(TEST_FILES);
  if (forgotten.length > 0) throw new Error(`scripts/test-plan.ts names what is not there: ${forgotten.join(", ")}`);
  const wanted = wantedTests();
  const hasScenarios = wanted.some(({ file }) => isBlackBox(file));
  const { job: build, isBuilt } = buildJob();
  const ready = wanted.filter((one) => packagesFor(one).length === 0);
  const installed = withPrograms(wanted.filter((one) => packagesFor(one).length > 0));
  const units = (of: Wanted[]) => testJobs(of.filter(({ file }) => !isBlackBox(file)));
  const scenarios = async (of: Wanted[]) =>
    hasScenarios && (await isBuilt) ? testJobs(of.filter(({ file }) => isBlackBox(file))) : [];
  await runInLanes(
    [
      hasScenarios || isAsked("build") ? [build] : [],
      checkJobs(),
      units(ready),
      installed.then(units),
      scenarios(ready),
      installed.then(scenarios),
    ],
    LANES,
  );
  if (hasScenarios && !(await isBuilt)) fail("scenarios, not run: they need the executable, and the build failed");
  if (wanted.length > 0 && total.tests + total.skipped === 0) fail("No test ran at all, which proves nothing");
}

for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => void stopPostgresOfRun().finally(() => process.exit(130)));

async function main(): Promise<number> {
  if (asked.only !== undefined && !KINDS.includes(asked.only))
    throw new Error(`--only takes one of: ${KINDS.join(", ")}.`);
  const startedMs = performance.now();
  if (asked.seed !== undefined) countOf("seed", asked.seed, HELP);
  console.log(`Tests by properties have the seed ${asked.seed ?? process.env["RINGWARD_SEED"] ?? DEFAULT_SEED}.`);
  await runAll();
  if (asked["write-seconds"]) await writeSeconds(seconds);
  const took = (performance.now() - startedMs) / 1000;
  const { lines, isGood } = closingLines(total, { seconds: took, isCi: process.env["CI"] === "true" });
  console.log(lines.join("\n"));
  return isGood ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
} finally {
  await stopPostgresOfRun();
}
