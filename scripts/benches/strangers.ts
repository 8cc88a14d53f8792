// Cost that one unauthenticated request can cause on the main thread: every public route with every odd address,
// header, query and method, as a multiple of the CPU time of a plain request that finds nothing.
// `./scripts/bench strangers -- --most 3`
import { parseArgs } from "node:util";
import { ODD_METHODS, ODD_REQUESTS, StrangerCosts } from "../../test/support/stranger-costs.ts";
import type { Bench, Finding, How } from "./bench.ts";
import { count } from "./figures.ts";

/** The short form sends every tenth of them. */
const QUICK_STEP = 10;

async function run({ quick, args = [] }: How): Promise<Finding[]> {
  const { values } = parseArgs({ args, options: { most: { type: "string", default: "3" } } });
  const most = Number(values.most);
  const odd = quick
    ? Object.fromEntries(Object.entries(ODD_REQUESTS).filter((_, i) => i % QUICK_STEP === 0))
    : { ...ODD_REQUESTS, ...ODD_METHODS };
  const costs = await StrangerCosts.start();
  const dear = (await costs.dearerThan(most, odd)).toSorted((a, b) => b.timesPlain - a.timesPlain);
  await costs.close();
  for (const { request, timesPlain } of dear) console.error(`  ${timesPlain.toFixed(1)} times  ${request}`);
  const [dearest] = dear;
  return [
    {
      measure: `odd requests of ${count(Object.keys(odd).length)} kinds to every open route that cost more than ${most} plain ones`,
      here: dearest ? `${dear.length}; ${dearest.request}` : "none",
      against: "a plain request that finds nothing",
      ratio: dearest?.timesPlain ?? null,
      goal: "none",
      holds: dear.length === 0,
    },
  ];
}

export const strangers: Bench = {
  name: "strangers",
  about: "what odd and long requests of strangers cost the main thread, in plain requests",
  run,
};
