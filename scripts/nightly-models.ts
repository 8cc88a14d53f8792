// Runs our adapters and the executable against llama-server and whisper-server and prints the results:
// scripts/nightly-models [--only GROUP-OR-WORD] [--log]
import { parseArgs } from "node:util";
import { startLlama, startWhisper, type ModelPeer } from "./model-peers.ts";
import { chosenChecks, runChecks } from "./nightly-checks.ts";
import { EXECUTABLE } from "./nightly-models-executable.ts";
import { LANGUAGE } from "./nightly-models-language.ts";
import { RECOGNITION } from "./nightly-models-recognition.ts";
import type { ModelWorld } from "./nightly-models-world.ts";

const { values } = parseArgs({
  options: {
    folder: { type: "string" },
    only: { type: "string", default: "" },
    log: { type: "boolean", default: false },
  },
});
if (values.folder === undefined) throw new Error("--folder DIR: where scripts/nightly-models built Debian sid.");

const checks = chosenChecks<ModelWorld>([...LANGUAGE, ...RECOGNITION, ...EXECUTABLE], values.only);
const peers: ModelPeer[] = [];
let failed = 0;
try {
  const llama = await startLlama(values.folder);
  peers.push(llama);
  const whisper = await startWhisper(values.folder);
  peers.push(whisper);
  failed = await runChecks(checks, { llama, whisper });
} finally {
  if (values.log) for (const peer of peers) console.log(peer.log());
  await Promise.all(peers.map((peer) => peer.stop()));
}
console.log(`\n${checks.length - failed} of ${checks.length} passed.`);
process.exitCode = failed === 0 ? 0 : 1;
