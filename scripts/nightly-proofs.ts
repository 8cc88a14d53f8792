// Changes every byte of many proofs once, each to another value of a byte, and checks that the verifier finds each
// change: scripts/nightly-proofs
import { parseArgs } from "node:util";
import { changedAt, isFound } from "../test/support/changed-bytes.ts";
import { chainOf, SIGNER } from "../test/support/proof-chain.ts";
import { randomFrom } from "../test/support/sounds.ts";

const { values: options } = parseArgs({
  options: { proofs: { type: "string", default: "10000" }, seed: { type: "string", default: "7" } },
});
const [count, seed] = [Number(options.proofs), Number(options.seed)];
if (!Number.isSafeInteger(count) || count < 1) throw new Error("--proofs must be a number from 1.");

const keys = new Set([SIGNER.key]);
const random = randomFrom(seed);
const proofs = chainOf(count);
const missed: string[] = [];
let changed = 0;
const startedMs = performance.now();
for (const [at, line] of proofs.entries()) {
  if (isFound(line, keys)) throw new Error(`Proof ${at + 1} is not valid before any change.`);
  for (let place = 0; place < line.length; place++) {
    const by = 1 + Math.floor(random() * 255);
    changed += 1;
    if (!isFound(changedAt(line, place, by), keys)) missed.push(`proof ${at + 1}, byte ${place}, by ${by}`);
  }
}
const seconds = Math.round((performance.now() - startedMs) / 1000);

for (const one of missed.slice(0, 100)) console.log(`Not found: ${one} (--seed ${seed}).`);
const figures = [proofs.length, changed, changed - missed.length, missed.length, seconds];
console.log("| proofs | bytes changed | found | missed | seconds |\n|---|---|---|---|---|");
console.log(`| ${figures.map((figure) => figure.toLocaleString("en")).join(" | ")} |`);
process.exitCode = missed.length > 0 ? 1 : 0;
