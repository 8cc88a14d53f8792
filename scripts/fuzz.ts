// Asks the compiled executable everything that its own document tells, rightly and wrongly, and holds it to its word.
// Usage: scripts/fuzz [--seconds N] [--seed S] [--refusals]
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { startAppliance } from "./contract-fuzz/appliance.ts";
import { report, runFuzz } from "./contract-fuzz/run.ts";
import { Session } from "./contract-fuzz/session.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "120" },
    seed: { type: "string", default: String(Math.floor(Date.now() / 1000) % 1_000_000) },
    // What was meant to be served and was not, by its words: how good the fuzz's own requests are.
    refusals: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const seconds = Number(values.seconds);
if (!Number.isSafeInteger(seed) || !(seconds > 0)) throw new Error("--seconds and --seed want numbers.");

const { world, server } = await startAppliance();
const session = new Session(world);
const startedAt = performance.now();
const passed = () => (performance.now() - startedAt) / 1000;

function tellProgress(): void {
  const { tally, faults } = session;
  const all = world.operations.length;
  const done = all - tally.neverDone(world.operations).length;
  const left = Math.max(0, Math.round(seconds - passed()));
  const asked = tally.requests.toLocaleString("en");
  process.stderr.write(
    `\r${asked} requests, ${done} of ${all} operations answered with 2xx, ${faults.length} faults, ${left} s left  `,
  );
}

const progress = setInterval(tellProgress, 1000);
try {
  await runFuzz(session, seed, { requests: Infinity, isOver: () => passed() >= seconds });
} finally {
  clearInterval(progress);
  await server.kill();
  rmSync(server.dataDir, { recursive: true, force: true });
}
process.stderr.write("\n");
for (const line of report(session, seed)) console.log(line);
console.log(`${(session.tally.requests / passed()).toFixed(0)} requests a second`);
if (values.refusals) {
  console.log("\nmeant to be served, and refused:");
  const most = [...session.refusals].toSorted(([, a], [, b]) => b - a).slice(0, 60);
  for (const [words, times] of most) console.log(`${times}× ${words}`);
}
const isSound = session.faults.length === 0 && session.tally.neverDone(world.operations).length === 0;
process.exit(isSound ? 0 : 1);
