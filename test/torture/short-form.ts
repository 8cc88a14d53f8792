// The short form of torture as a test: prints its report, and fails if an invariant is broken.
import { expect } from "bun:test";
import { join } from "node:path";
import { tempFolder } from "../support/binary.ts";
import { reportLines } from "./report.ts";
import { torture, type TortureOptions, type TortureReport } from "./run.ts";

/** A seed is a row of choices; any other must be green as well. */
export async function greenShortForm(
  form: Omit<TortureOptions, "seed" | "folder" | "progress">,
  seed: number,
): Promise<TortureReport> {
  const report = await torture({ ...form, seed, folder: join(tempFolder(), "torture"), progress: () => {} });
  console.log(
    reportLines(report)
      .map((line) => `      ${line}`)
      .join("\n"),
  );
  expect(report.findings.filter(({ broken }) => broken.length > 0)).toEqual([]);
  expect(report.left).toEqual([]);
  return report;
}
