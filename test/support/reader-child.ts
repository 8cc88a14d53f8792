// A process for test/core/file-reader.test.ts, with hostile jobs.
import { invalidField } from "../../src/core/errors.ts";
import type { FileJob } from "../../src/core/file-job.ts";
import { serveJobs } from "../../src/core/reader-side.ts";

interface Doubling {
  double(asked: { value: number }): Promise<number>;
}
type Job = FileJob<{ bytes: Uint8Array }, object, Doubling>;
const jobs: Record<string, Job["run"]> = {
  echo: async ({ bytes }, world) => ({ bytes, pid: process.pid, answer: await world.double({ value: bytes.length }) }),
  fault: async () => {
    throw invalidField("list", "The list is empty.");
  },
  broken: async () => {
    throw new TypeError("Asha Rao is no number");
  },
  endless: async () => {
    for (;;);
  },
  greedy: async () => {
    const held: Uint8Array[] = [];
    for (;;) held.push(new Uint8Array(8_000_000).fill(1));
  },
  dies: async () => process.exit(1),
};

await serveJobs(
  Object.entries(jobs).map(([name, run]) => ({ name, run })),
  Bun.stdin.stream(),
  (bytes) => Bun.write(Bun.stdout, bytes),
);
