// Cost of an unauthenticated request on the main thread. A request that stalls the appliance costs as much as hundreds
// of plain requests and is found here. The exact limit of three plain requests needs a quiet machine: `./scripts/bench
// strangers` checks it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { leaveNothingBehind } from "../support/binary.ts";
import { ODD_METHODS, ODD_REQUESTS, StrangerCosts } from "../support/stranger-costs.ts";
import { skipsFor } from "../support/skips.ts";

leaveNothingBehind();

/** Three measured on a quiet machine, times a margin for the observed effect of a busy shared cache. */
const NEVER_SEEN = 12;

describe.skipIf(skipsFor(process.platform !== "linux", "needs Linux"))(
  "no stranger's request stalls the appliance",
  () => {
    let costs: StrangerCosts;
    beforeAll(async () => {
      costs = await StrangerCosts.start();
    });
    afterAll(() => costs.close());

    test("for every path, header and query", async () => {
      expect(await costs.dearerThan(NEVER_SEEN, ODD_REQUESTS)).toEqual([]);
    }, 180_000);

    test("for every method", async () => {
      expect(await costs.dearerThan(NEVER_SEEN, ODD_METHODS)).toEqual([]);
    }, 180_000);
  },
);
