// What a stranger can make the main thread do with one request: every public route with every odd address, header, query and
// method, in CPU time of a plain request that finds nothing. `scripts/bench-strangers [--most 3]`; exits 1 where one is dearer.
import { parseArgs } from "node:util";
import { ODD_METHODS, ODD_REQUESTS, StrangerCosts } from "../test/support/stranger-costs.ts";

const { values } = parseArgs({ options: { most: { type: "string", default: "3" } } });
const most = Number(values.most);

const costs = await StrangerCosts.start();
const dear = [...(await costs.dearerThan(most, ODD_REQUESTS)), ...(await costs.dearerThan(most, ODD_METHODS))];
await costs.close();

for (const { request, timesPlain } of dear.toSorted((a, b) => b.timesPlain - a.timesPlain)) {
  console.log(`${timesPlain.toFixed(1)} times  ${request}`);
}
console.log(
  dear.length === 0 ? `none costs more than ${most} plain requests` : `${dear.length} cost more than ${most}`,
);
process.exit(dear.length === 0 ? 0 : 1);
