// The short form of scripts/torture --postgres: executable and PostgreSQL killed under load, and nothing of what was promised is broken.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { leaveNothingBehind, tempFolder } from "../support/binary.ts";
import { reportLines } from "../torture/report.ts";
import { torture } from "../torture/run.ts";
import { SHORT_ON_POSTGRES } from "../torture/short.ts";

leaveNothingBehind();

/** A seed is a row of choices; any other must be green as well. */
const SEED = 18;

test("killed with its PostgreSQL and without, it keeps what it promised", async () => {
  const report = await torture({
    ...SHORT_ON_POSTGRES,
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
  expect([...report.faults.keys()].toSorted()).toEqual([...(SHORT_ON_POSTGRES.once ?? [])].toSorted());
}, 300_000);
