// What a stranger's request costs the main thread. What stalls the appliance costs hundreds of plain requests and is
// found here; the rule itself, three plain ones, is too fine for a machine with neighbours: `./scripts/bench strangers`
// holds it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { leaveNothingBehind } from "../support/binary.ts";
import { ODD_METHODS, ODD_REQUESTS, StrangerCosts } from "../support/stranger-costs.ts";
import { skipsFor } from "../support/skips.ts";

leaveNothingBehind();

/**
 * Three measured on a quiet machine, and what a neighbour in the same cache has been seen to add, several times over.
 */
const NEVER_SEEN = 12;

describe.skipIf(skipsFor(process.platform !== "linux", "needs Linux"))(
  "no stranger's request stalls the appliance",
  () => {
    let costs: StrangerCosts;
    beforeAll(async () => {
      costs = await StrangerCosts.start();
    });
    afterAll(() => costs.close());

    test("whatever the address, the headers and the query", async () => {
      expect(await costs.dearerThan(NEVER_SEEN, ODD_REQUESTS)).toEqual([]);
    }, 180_000);

    test("whatever the method", async () => {
      expect(await costs.dearerThan(NEVER_SEEN, ODD_METHODS)).toEqual([]);
    }, 180_000);
  },
);
