// Runs the stages of scripts/test in order, all of them even when one fails, and adds up what passed and failed. With
// --quick it runs the daily round of test-plan.ts: everything but the long tests, most scenarios and PostgreSQL; with
// --all-on-postgres also what is left out on PostgreSQL for time alone.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { NOTHING, runBunTestsInLanes, sumOf, type Tally } from "./bun-tests.ts";
import { DEBIAN_PACKAGES, installPackages, POSTGRESQL, type DebianPackage } from "./debian-packages.ts";
import { createDatabaseLook } from "./database-tests.ts";
import { postgresOfRun, stopPostgresOfRun } from "./run-postgres.ts";
import { globsWithoutFile, isBlackBox, isDaily, isOnBoth } from "./test-plan.ts";

const ROOT = join(import.meta.dir, "..");
const BINARY = join(ROOT, "dist", "ringward");
const IS_CI = process.env["CI"] === "true";

const asked = () =>
  parseArgs({
    options: { only: { type: "string" }, quick: { type: "boolean" }, "all-on-postgres": { type: "boolean" } },
  }).values;

let buildFailed = false;

interface Stage {
  name: string;
  run: () => Tally | Promise<Tally>;
  /** Runs beside its neighbours that do too: each of these keeps one core busy most of the time. */
  isBeside?: true;
  /** Left out with --quick. */
  isLong?: true;
}

const STAGES: Stage[] = [
  { name: "format", run: () => check("format", ["run", "oxfmt", "--check"]), isBeside: true },
  { name: "lint", run: () => check("lint", ["run", "oxlint"]), isBeside: true },
  { name: "types", run: () => check("types", ["run", "tsc", "--noEmit"]), isBeside: true },
  { name: "unit", run: () => runWithPrograms(unitTests(), {}) },
  { name: "unit on postgres", run: () => runWithPrograms(unitTestsOnPostgres(), ON_POSTGRES), isLong: true },
  { name: "build", run: buildExecutable },
  { name: "scenarios", run: () => runScenarios(scenarios(), {}) },
  { name: "scenarios on postgres", run: () => runScenarios(scenariosOnPostgres(), ON_POSTGRES), isLong: true },
];

/** Tests that ask a database ask PostgreSQL. */
const ON_POSTGRES: Environment = { RINGWARD_TEST_POSTGRES: "1" };

/** One tool, run by Bun so that a machine without Node can check too; it passes or fails as a whole. */
async function check(name: string, args: string[]): Promise<Tally> {
  const run = Bun.spawn([process.execPath, "--bun", ...args], { cwd: ROOT, stdout: "inherit", stderr: "inherit" });
  return (await run.exited) === 0 ? { ...NOTHING, passed: 1 } : { ...NOTHING, failed: 1, failures: [name] };
}

async function buildExecutable(): Promise<Tally> {
  const tally = await check("build", ["scripts/build.ts", "--full"]);
  buildFailed = tally.failed > 0;
  return tally;
}

function testFiles(): string[] {
  const all = [...new Bun.Glob("test/**/*.test.ts").scanSync(ROOT)].toSorted();
  const forgotten = globsWithoutFile(all);
  if (forgotten.length > 0) throw new Error(`scripts/test-plan.ts names what is not there: ${forgotten.join(", ")}`);
  return asked().quick ? all.filter(isDaily) : all;
}

const unitTests = () => testFiles().filter((file) => !isBlackBox(file));
const scenarios = () => testFiles().filter(isBlackBox);

function unitTestsOnPostgres(): string[] {
  const asksDatabase = createDatabaseLook(ROOT);
  return unitTests().filter((file) => asksDatabase(file) && isOnPostgres(file));
}

const scenariosOnPostgres = () => scenarios().filter(isOnPostgres);
const isOnPostgres = (file: string) => isOnBoth(file, asked()["all-on-postgres"]);

/** The tests that see Ringward from outside: the executable just built, a browser, other programs. */
async function runScenarios(files: string[], env: Environment): Promise<Tally> {
  if (buildFailed && files.length > 0) {
    console.log("Not run: the build failed, and these tests need the executable.");
    return { ...NOTHING, failed: 1, failures: ["scenarios, not run"] };
  }
  return runWithPrograms(files, env);
}

type Environment = Record<string, string>;

/** Whether a test cannot do without a package. */
function needs(debianPackage: DebianPackage, env: Environment): (file: string) => boolean {
  if (debianPackage === POSTGRESQL && env === ON_POSTGRES) return () => true;
  const globs = debianPackage.usedBy.map((glob) => new Bun.Glob(glob));
  return (file) => globs.some((glob) => glob.match(file));
}

/** Leaves out, with the reason, the tests whose programs are missing and cannot be installed; with CI=true they failed. */
async function runWithPrograms(wanted: string[], env: Environment): Promise<Tally> {
  let files = wanted;
  const missing: string[] = [];
  for (const debianPackage of DEBIAN_PACKAGES) {
    const needing = files.filter(needs(debianPackage, env));
    if (needing.length === 0) continue;
    const reason = installPackages([debianPackage]);
    if (!reason) continue;
    console.log(`SKIPPED for want of ${debianPackage.name} (${reason}): ${needing.join(", ")}`);
    if (IS_CI) missing.push(...needing.map((file) => `${file}: not run for want of ${debianPackage.name}`));
    files = files.filter((file) => !needing.includes(file));
  }
  const notRun: Tally = { ...NOTHING, failed: missing.length, failures: missing };
  const cluster = files.some(needs(POSTGRESQL, env)) ? await postgresOfRun() : {};
  const binary = files.some(isBlackBox) ? { RINGWARD_BINARY: BINARY } : {};
  const tally = sumOf(await runBunTestsInLanes(files, { ...env, ...cluster, ...binary }), notRun);
  return env === ON_POSTGRES ? { ...tally, failures: tally.failures.map((each) => `on PostgreSQL, ${each}`) } : tally;
}

function stagesAsked(): Stage[] {
  const { only, quick } = asked();
  if (only === undefined) return STAGES.filter(({ isLong }) => !(quick && isLong));
  const names = STAGES.map(({ name }) => name);
  if (!names.includes(only)) throw new Error(`--only takes one of: ${names.join(", ")}.`);
  // Scenarios against an old executable would prove nothing.
  return STAGES.filter(({ name }) => name === only || (only.startsWith("scenarios") && name === "build"));
}

async function runStage({ name, run }: Stage): Promise<Tally> {
  console.log(`\n== ${name}`);
  const startedMs = performance.now();
  const tally = await run();
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`== ${name}: ${tally.failed > 0 ? "FAILED" : "ok"} after ${seconds} s`);
  return tally;
}

async function runStages(stages: Stage[]): Promise<Tally> {
  const tallies = await Promise.all(stages.filter(({ isBeside }) => isBeside).map(runStage));
  for (const stage of stages) if (!stage.isBeside) tallies.push(await runStage(stage));
  return tallies.reduce(sumOf, NOTHING);
}

for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => void stopPostgresOfRun().finally(() => process.exit(130)));

try {
  const stages = stagesAsked();
  const { passed, failed, tests, failures } = await runStages(stages);
  const ranNoTest = tests === 0 && stages.some(({ name }) => /^(?:unit|scenarios)/.test(name));
  if (ranNoTest) console.log("\nNo test ran at all, which proves nothing: that is a failure too.");
  const failedInAll = failed + (ranNoTest ? 1 : 0);
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map((name) => `  ${name}`).join("\n")}`);
  console.log(`\n${passed} passed, ${failedInAll} failed`);
  process.exitCode = failedInAll > 0 ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
} finally {
  await stopPostgresOfRun();
}
