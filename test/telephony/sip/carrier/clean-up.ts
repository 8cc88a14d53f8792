// Clean-up after each test. Bun evaluates a helper module once per run, so hooks defined at its top level would apply
// to the first test file only; therefore each file calls this.
import { afterEach } from "bun:test";

const steps: (() => void | Promise<void>)[] = [];

/** The last one first, after the test that is running. */
export function afterwards(step: () => void | Promise<void>): void {
  steps.push(step);
}

export function cleanUpAfterEach(): void {
  afterEach(async () => {
    for (const step of steps.splice(0).toReversed()) await step();
  });
}
