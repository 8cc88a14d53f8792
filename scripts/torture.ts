// Runs torture (test/torture) on dist/ringward, or on the binary named by RINGWARD_BINARY, and reports the result. A
// passed run leaves nothing behind; a failed run keeps its folder and prints it with the seed.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runMutations } from "../test/torture/mutations.ts";
import { isGreen, reportLines } from "../test/torture/report.ts";
import { torture } from "../test/torture/run.ts";
import { SHORT, SHORT_ON_POSTGRES } from "../test/torture/short.ts";
import { askedOf, countOf } from "./asked.ts";

const HELP = `./scripts/torture [options]
./scripts/torture --mutations [NAME …]
./scripts/torture --kills 200
./scripts/torture --campaign-kills 200 [--postgres]
  the executable under load while it is killed, its disk fills and its clock jumps: nothing acknowledged may be lost
  --seconds 60          for how long
  --short               the form that ./scripts/test runs
  --seed N              the same faults in the same order
  --clients 12          that write
  --slow-clients 2000   that hold connections open
  --postgres            the data is in a PostgreSQL of its own, which is killed as well
  --keep                its folder stays, as it does where a check fails
  --broken FILE         the names of the checks that failed, one a line
  --kills N             only this: N times killed while calls, bookings and commands are written
  --campaign-kills N    only this: N times killed while campaigns are made, and none that was acknowledged may disappear
  --mutations           the code is broken on purpose, each way in a build of its own: every one must turn it red
Exits with 1 where a check fails or a kind of fault was left out, for want of root, a C compiler or time.`;

const { values, positionals } = askedOf(HELP, {
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "60" },
    short: { type: "boolean", default: false },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    clients: { type: "string", default: "12" },
    "slow-clients": { type: "string", default: "2000" },
    postgres: { type: "boolean", default: false },
    mutations: { type: "boolean", default: false },
    kills: { type: "string" },
    "campaign-kills": { type: "string" },
    keep: { type: "boolean", default: false },
    broken: { type: "string" },
  },
});
const count = (option: "seconds" | "seed" | "clients" | "slow-clients") => countOf(option, values[option], HELP);
const seed = count("seed");
const long = {
  seconds: count("seconds"),
  clients: count("clients"),
  slowClients: count("slow-clients"),
  onPostgres: values.postgres,
};

const folder = mkdtempSync(join(tmpdir(), "ringward-torture-"));
process.env["TMPDIR"] = folder;

/** One updating line on a terminal; elsewhere an occasional line. */
function createProgress(): (line: string) => void {
  const startedMs = performance.now();
  let shownMs = -Infinity;
  return (line) => {
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0);
    if (process.stdout.isTTY) return void process.stdout.write(`\r\x1b[2K${seconds} s: ${line}`);
    if (performance.now() - shownMs < 5_000) return;
    shownMs = performance.now();
    console.log(`${seconds} s: ${line}`);
  };
}

/** The long form of a scenario from the test suite. */
async function runScenario(name: string, more: Record<string, string>): Promise<boolean> {
  const file = join(import.meta.dir, `../test/scenarios/${name}.test.ts`);
  // PostgreSQL runs as another user, and its folder is in this one.
  chmodSync(folder, 0o711);
  const run = Bun.spawn([process.execPath, "test", "--timeout=3600000", file], {
    cwd: join(import.meta.dir, ".."),
    env: {
      ...process.env,
      ...more,
      ...(values.postgres ? { RINGWARD_TEST_POSTGRES: "1" } : {}),
    },
    stdout: "inherit",
    stderr: "inherit",
  });
  return (await run.exited) === 0;
}

function runAsked(): Promise<boolean> {
  if (values.mutations) return runMutations(folder, positionals);
  const { kills, "campaign-kills": campaignKills } = values;
  if (kills !== undefined) {
    const count = String(countOf("kills", kills, HELP));
    return runScenario("durability", { RINGWARD_KILLS: count, RINGWARD_SEED: String(seed) });
  }
  if (campaignKills === undefined) return runOnce();
  const count = String(countOf("campaign-kills", campaignKills, HELP));
  return runScenario("campaign-kills", {
    RINGWARD_CAMPAIGN_KILLS: count,
    RINGWARD_CAMPAIGN_KILLS_SEED: String(seed),
  });
}

async function runOnce(): Promise<boolean> {
  const short = values.postgres ? SHORT_ON_POSTGRES : SHORT;
  const how = values.short ? short : long;
  const report = await torture({ ...how, seed, folder, progress: createProgress() });
  console.log(`\n${reportLines(report).join("\n")}`);
  const broken = report.findings.filter((finding) => finding.broken.length > 0).map(({ check }) => check);
  if (values.broken !== undefined) writeFileSync(values.broken, broken.join("\n"));
  return isGreen(report);
}

const isGood = await runAsked();
if (values.keep || (!isGood && !values.mutations)) console.log(`Kept: ${folder} (seed ${seed})`);
else rmSync(folder, { recursive: true, force: true });
process.exit(isGood ? 0 : 1);
