// Runs the executable against Asterisk and prints the results: scripts/nightly-asterisk [--only GROUP-OR-WORD]
import { parseArgs } from "node:util";
import { CALLS } from "./nightly-asterisk-calls.ts";
import { DESKS } from "./nightly-asterisk-desk.ts";
import { EMERGENCIES } from "./nightly-asterisk-emergency.ts";
import { FAILURES } from "./nightly-asterisk-failures.ts";
import { SETTINGS_TRIED } from "./nightly-asterisk-trial.ts";
import { createWorld, untilQuiet } from "./nightly-asterisk-world.ts";
import { chosenChecks, runChecks } from "./nightly-checks.ts";

const { values } = parseArgs({
  options: {
    folder: { type: "string" },
    only: { type: "string", default: "" },
    log: { type: "boolean", default: false },
  },
});
if (values.folder === undefined) throw new Error("--folder DIR: where scripts/asterisk-peer built Asterisk.");

const checks = chosenChecks([...CALLS, ...SETTINGS_TRIED, ...DESKS, ...EMERGENCIES, ...FAILURES], values.only);
const world = await createWorld(values.folder);
console.log(`${world.asterisk.version}\n`);
let failed = 0;
try {
  failed = await runChecks(checks, world, async () => {
    // Leftover calls must not affect the next check.
    world.asterisk.tell("channel request hangup all");
    await untilQuiet(world).catch(() => {});
  });
} finally {
  if (values.log) console.log(world.asterisk.log());
  await world.server.kill();
  await world.asterisk.stop();
}
console.log(`\n${checks.length - failed} of ${checks.length} passed.`);
process.exitCode = failed === 0 ? 0 : 1;
