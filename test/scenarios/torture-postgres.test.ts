// The short form of scripts/torture --postgres: executable and PostgreSQL are killed under load, and every invariant
// holds.
import { expect, test } from "bun:test";
import { leaveNothingBehind } from "../support/binary.ts";
import { greenShortForm } from "../torture/short-form.ts";
import { SHORT_ON_POSTGRES } from "../torture/short.ts";

leaveNothingBehind();

test("killed with its PostgreSQL and without, it keeps its guarantees", async () => {
  const { faults } = await greenShortForm(SHORT_ON_POSTGRES, 18);
  expect([...faults.keys()].toSorted()).toEqual([...(SHORT_ON_POSTGRES.once ?? [])].toSorted());
}, 300_000);
