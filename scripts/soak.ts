// Soak test: the executable runs for an hour of its own clock, and its resources must not grow.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { soak } from "../test/torture/soak.ts";
import { askedOf, countOf } from "./asked.ts";

const HELP = `./scripts/soak [options]
  an hour of a hospital in minutes: memory, descriptors, WAL and temporary files may not grow
  --minutes 60                of the hospital's clock
  --requests-per-minute 300
  --seed 1                    the same requests in the same order
Exits with 1 where something grows.`;

const { values } = askedOf(HELP, {
  options: {
    minutes: { type: "string", default: "60" },
    "requests-per-minute": { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
  },
});
const asked = {
  seed: countOf("seed", values.seed, HELP),
  minutes: countOf("minutes", values.minutes, HELP),
  requestsPerMinute: countOf("requests-per-minute", values["requests-per-minute"], HELP),
};

const folder = mkdtempSync(join(tmpdir(), "ringward-soak-"));
process.env["TMPDIR"] = folder;
let shownMs = -Infinity;
const report = await soak({
  ...asked,
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
