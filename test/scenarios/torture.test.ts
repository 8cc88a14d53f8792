// The short form of scripts/torture: each way to harm the executable once, under load, and nothing of what was promised
// is broken.
import { expect, test } from "bun:test";
import { leaveNothingBehind } from "../support/binary.ts";
import { greenShortForm } from "../torture/short-form.ts";
import { SHORT } from "../torture/short.ts";

leaveNothingBehind();

test("killed, starved, and with its clock and disk taken away, it keeps what it promised", async () => {
  const { faults } = await greenShortForm(SHORT, 17);
  expect(faults.get("kill -9")).toBe(1);
}, 300_000);
