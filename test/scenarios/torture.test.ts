// The short form of scripts/torture: each way to harm the executable once, under load, and nothing of what was promised is broken.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { leaveNothingBehind, tempFolder } from "../support/binary.ts";
import { reportLines } from "../torture/report.ts";
import { torture } from "../torture/run.ts";
import { SHORT } from "../torture/short.ts";

leaveNothingBehind();

/** A seed is a row of choices; any other must be green as well. */
const SEED = 17;

test("killed, starved, and with its clock and disk taken away, it keeps what it promised", async () => {
  const report = await torture({
    ...SHORT,
    seed: SEED,
    folder: join(tempFolder(), "torture"),
    progress: () => {},
  });
  console.log(
    reportLines(report)
      .map((line) => `      ${line}`)
      .join("\n"),
  );
  expect(report.findings.filter(({ broken }) => broken.length > 0)).toEqual([]);
  expect(report.faults.get("kill -9")).toBe(1);
}, 300_000);
