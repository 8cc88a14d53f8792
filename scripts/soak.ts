// The calm sister of torture: the executable works for an hour of its own clock, and nothing that it holds may grow.
// `scripts/soak [--minutes 60] [--requests-per-minute 300] [--seed N]`
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { soak } from "../test/torture/soak.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    "requests-per-minute": { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
  },
});

const folder = mkdtempSync(join(tmpdir(), "ringward-soak-"));
process.env["TMPDIR"] = folder;
let shownMs = -Infinity;
const report = await soak({
  seed: Number(values.seed),
  minutes: Number(values.minutes),
  requestsPerMinute: Number(values["requests-per-minute"]),
  folder,
  progress(line) {
    if (process.stdout.isTTY) return void process.stdout.write(`\r\x1b[2K${line}`);
    if (performance.now() - shownMs < 10_000) return;
    shownMs = performance.now();
    console.log(line);
  },
});
rmSync(folder, { recursive: true, force: true });

const { client, growths } = report;
const figure = (value: number, unit: string) => `${value.toFixed(unit === "MB" ? 1 : 0)} ${unit}`.trim();
console.log(
  `\n${report.minutes} minutes of the hospital's clock${report.isClockMoved ? "" : " (which could not be moved)"} in ` +
    `${report.seconds.toFixed(0)} s: ${client.requests} requests, ${client.calls.length} calls asked for, ` +
    `${report.dialled} dialled, ${client.bookings.length} appointments asked for, ${report.arrivals} events received.\n`,
);
const rows = [
  ["", "first third", "second", "last", "grown", "most", ""],
  ...growths.map(({ name, unit, first, middle, last, grown, most, holds }) => [
    name,
    ...[first, middle, last, grown, most].map((value) => figure(value, unit)),
    holds ? "holds" : "GROWS",
  ]),
];
const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
const isSound = growths.every(({ holds }) => holds) && client.surprises.length === 0;
for (const surprise of client.surprises.slice(0, 5)) console.log(surprise);
process.exit(isSound ? 0 : 1);
