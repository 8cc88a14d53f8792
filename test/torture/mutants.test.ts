// The mutations of scripts/torture --mutations must apply to the current code.
import { expect, test } from "bun:test";
import { MUTATIONS, patchFault } from "./mutants.ts";

test("there are enough of them", () => {
  expect(MUTATIONS.length).toBeGreaterThanOrEqual(5);
});

test.each(MUTATIONS.map((mutation) => [mutation.name, mutation] as const))(
  "%s still applies to the code; write it anew where the code has changed",
  (_, mutation) => {
    expect(patchFault(mutation)).toBe("");
  },
);
