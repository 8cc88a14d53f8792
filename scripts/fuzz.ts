// API contract fuzzer: sends valid and invalid requests to the compiled executable and checks the responses against its
// own OpenAPI document.
import { rmSync } from "node:fs";
import { askedOf, countOf } from "./asked.ts";
import { startAppliance } from "./contract-fuzz/appliance.ts";
import { report, runFuzz } from "./contract-fuzz/run.ts";
import { Session } from "./contract-fuzz/session.ts";

const HELP = `./scripts/fuzz [options]
  every operation of the appliance's own document, asked rightly and wrongly
  --seconds 120   for how long
  --seed N        the same requests in the same order
  --refusals      also what was meant to be served and was refused, with the words
Exits with 1 where an answer is not as the document says.`;

const { values } = askedOf(HELP, {
  options: {
    seconds: { type: "string", default: "120" },
    seed: { type: "string", default: String(Math.floor(Date.now() / 1000) % 1_000_000) },
    refusals: { type: "boolean", default: false },
  },
});
const seed = countOf("seed", values.seed, HELP);
const seconds = countOf("seconds", values.seconds, HELP);

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
