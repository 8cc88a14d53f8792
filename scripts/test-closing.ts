// Summary of a run of scripts/test. The last line is machine-readable: `N passed, N failed, N skipped`.
import type { Skip, Tally } from "./bun-tests.ts";

export interface Closing {
  seconds: number;
  /** With CI=true a skipped test counts as failed, so a pipeline cannot skip it unnoticed. */
  isCi: boolean;
}

export function closingLines(tally: Tally, { seconds, isCi }: Closing): { lines: string[]; isGood: boolean } {
  const failures = [...tally.failures];
  if (isCi && tally.skipped > 0) failures.push(`${tally.skipped} skipped, which count as failed with CI=true`);
  const failed = tally.failed + (isCi ? tally.skipped : 0);
  const lines = [
    ...(tally.skipped > 0 ? ["", "Skipped:", ...skipLines(tally.skips)] : []),
    ...(failures.length > 0 ? ["", "Failed:", ...failures.map((name) => `  ${name}`)] : []),
    "",
    `After ${seconds.toFixed(0)} s:`,
    `${tally.passed} passed, ${failed} failed, ${isCi ? 0 : tally.skipped} skipped`,
  ];
  return { lines, isGood: failed === 0 };
}

/** One line per reason. */
function skipLines(skips: readonly Skip[]): string[] {
  const byReason = Map.groupBy(skips, ({ reason }) => reason);
  return [...byReason].map(([reason, of]) => {
    const tests = of.reduce((sum, each) => sum + each.tests, 0);
    const files = [...new Set(of.map(({ file }) => file))].toSorted();
    return `  ${tests} ${tests === 1 ? "test" : "tests"}: ${reason}: ${files.join(", ")}`;
  });
}
