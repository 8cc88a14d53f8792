// Runs torture (test/torture) on dist/ringward, or on what RINGWARD_BINARY names, and says what became of it. Green leaves nothing
// behind; red keeps its folder and names it with the seed.
// `scripts/torture [--seconds 60 | --short] [--seed N] [--clients 12] [--slow-clients 2000] [--postgres] [--keep]`
// `scripts/torture --mutations [NAME …]`: the code broken on purpose, each way in a build of its own; all must turn it red.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runMutations } from "../test/torture/mutations.ts";
import { isGreen, reportLines } from "../test/torture/report.ts";
import { torture } from "../test/torture/run.ts";
import { SHORT, SHORT_ON_POSTGRES } from "../test/torture/short.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "60" },
    short: { type: "boolean", default: false },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    clients: { type: "string", default: "12" },
    "slow-clients": { type: "string", default: "2000" },
    /** The appliance keeps its data in a PostgreSQL of its own, and that is killed as well. */
    postgres: { type: "boolean", default: false },
    mutations: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    /** Where the names of broken checks go, one a line, for whoever runs this. */
    broken: { type: "string" },
  },
});

const folder = mkdtempSync(join(tmpdir(), "ringward-torture-"));
process.env["TMPDIR"] = folder;

/** On a terminal one line that changes; elsewhere a line now and then. */
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

async function runOnce(): Promise<boolean> {
  const long = {
    seconds: Number(values.seconds),
    clients: Number(values.clients),
    slowClients: Number(values["slow-clients"]),
    onPostgres: values.postgres,
  };
  const short = values.postgres ? SHORT_ON_POSTGRES : SHORT;
  const how = values.short ? short : long;
  const report = await torture({ ...how, seed: Number(values.seed), folder, progress: createProgress() });
  console.log(`\n${reportLines(report).join("\n")}`);
  const broken = report.findings.filter((finding) => finding.broken.length > 0).map(({ check }) => check);
  if (values.broken !== undefined) writeFileSync(values.broken, broken.join("\n"));
  return isGreen(report);
}

const isGood = values.mutations ? await runMutations(folder, positionals) : await runOnce();
if (values.keep || (!isGood && !values.mutations)) console.log(`Kept: ${folder} (seed ${values.seed})`);
else rmSync(folder, { recursive: true, force: true });
process.exit(isGood ? 0 : 1);
