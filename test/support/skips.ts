// Tests that cannot run on every machine say what they need: scripts/test repeats it beside the number of skipped
// tests.

/** `test.skipIf(skipsFor(!isRoot, "needs root"))` */
export function skipsFor(isMissing: boolean, reason: string): boolean {
  if (isMissing) console.error(`SKIPS: ${reason}`);
  return isMissing;
}
