// Runs torture (test/torture) on dist/ringward, or on what RINGWARD_BINARY names, and says what became of it. Green leaves nothing behind; red
// keeps its folder and names it with the seed. `scripts/torture [--seconds 60] [--seed N] [--clients 12] [--keep]`
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isGreen, reportLines } from "../test/torture/report.ts";
import { torture } from "../test/torture/run.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    clients: { type: "string", default: "12" },
    "slow-clients": { type: "string", default: "2000" },
    keep: { type: "boolean", default: false },
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

const report = await torture({
  seed: Number(values.seed),
  seconds: Number(values.seconds),
  folder,
  clients: Number(values.clients),
  slowClients: Number(values["slow-clients"]),
  progress: createProgress(),
});
console.log(`\n${reportLines(report).join("\n")}`);
const isKept = values.keep || !isGreen(report);
if (isKept) console.log(`Kept: ${folder} (seed ${report.seed})`);
else rmSync(folder, { recursive: true, force: true });
process.exit(isGreen(report) ? 0 : 1);
