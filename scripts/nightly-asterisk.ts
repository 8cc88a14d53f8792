// Runs the executable against Asterisk and prints what passed: scripts/nightly-asterisk [--only GROUP-OR-WORD]
import { parseArgs } from "node:util";
import { CALLS } from "./nightly-asterisk-calls.ts";
import { DESKS } from "./nightly-asterisk-desk.ts";
import { FAILURES } from "./nightly-asterisk-failures.ts";
import { SETTINGS_TRIED } from "./nightly-asterisk-trial.ts";
import { createWorld, untilQuiet, type Check } from "./nightly-asterisk-world.ts";

const { values } = parseArgs({
  options: {
    folder: { type: "string" },
    only: { type: "string", default: "" },
    log: { type: "boolean", default: false },
  },
});
if (values.folder === undefined) throw new Error("--folder DIR: where scripts/asterisk-peer built Asterisk.");

const checks: Check[] = [...CALLS, ...SETTINGS_TRIED, ...DESKS, ...FAILURES].filter(({ group, name }) =>
  `${group}: ${name}`.match(values.only),
);
const world = await createWorld(values.folder);
console.log(`${world.asterisk.version}\n`);
let failed = 0;
try {
  for (const { group, name, run } of checks) {
    const startedAt = performance.now();
    let seen: string;
    let passed = true;
    try {
      seen = await run(world);
    } catch (error) {
      passed = false;
      failed += 1;
      seen = error instanceof Error ? error.message : String(error);
    }
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(5);
    console.log(`${passed ? "ok  " : "FAIL"} ${seconds} s  ${`${group}: ${name}`.padEnd(58)} ${seen}`);
    // What one left behind is no other's fault.
    world.asterisk.tell("channel request hangup all");
    await untilQuiet(world).catch(() => {});
  }
} finally {
  if (values.log) console.log(world.asterisk.log());
  await world.server.kill();
  await world.asterisk.stop();
}
console.log(`\n${checks.length - failed} of ${checks.length} passed.`);
process.exitCode = failed === 0 ? 0 : 1;
