// What a test leaves behind is cleaned up after it. Bun evaluates a helper once for a whole run, and hooks written in
// one would serve the first test file alone: therefore each file asks for it.
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
