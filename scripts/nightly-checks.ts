// Shared runner of the nightly scripts: runs checks one after the other and prints a line for each.

export interface NightlyCheck<World> {
  group: string;
  name: string;
  /** Returns what was observed; throws on failure. */
  run(world: World): Promise<string>;
}

export function expectThat(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

export function chosenChecks<World>(checks: readonly NightlyCheck<World>[], only: string): NightlyCheck<World>[] {
  return checks.filter(({ group, name }) => `${group}: ${name}`.match(only));
}

/** Returns how many failed. `afterEach` never throws. */
export async function runChecks<World>(
  checks: readonly NightlyCheck<World>[],
  world: World,
  afterEach: () => Promise<void> = async () => {},
): Promise<number> {
  let failed = 0;
  for (const { group, name, run } of checks) {
    const startedAt = performance.now();
    let seen: string;
    let passed = true;
    try {
      seen = await run(world);
    } catch (error) {
      passed = false;
      failed += 1;
      seen = error instanceof Error ? error.message : String(error);
    }
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(5);
    console.log(`${passed ? "ok  " : "FAIL"} ${seconds} s  ${`${group}: ${name}`.padEnd(58)} ${seen}`);
    await afterEach();
  }
  return failed;
}
