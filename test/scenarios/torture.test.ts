// The short form of scripts/torture: each fault is injected once under load, and every invariant holds.
import { expect, test } from "bun:test";
import { leaveNothingBehind } from "../support/binary.ts";
import { isRoot } from "../support/sandbox.ts";
import { skipsFor } from "../support/skips.ts";
import { greenShortForm } from "../torture/short-form.ts";
import { SHORT } from "../torture/short.ts";

leaveNothingBehind();

const isRootMissing = skipsFor(!isRoot, "needs root, for a disk that it can fill");

test.skipIf(isRootMissing)(
  "killed, starved, and with its clock and disk taken away, it keeps what it promised",
  async () => {
    const { faults } = await greenShortForm(SHORT, 17);
    expect(faults.get("kill -9")).toBe(1);
  },
  300_000,
);
