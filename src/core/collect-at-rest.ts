// Garbage collection when idle. The runtime collects in proportion to allocation, so garbage from a busy period stays
// until more is allocated: 40 MB after half an hour of a hospital's work, all of which a collection frees.
import { heapSize } from "bun:jsc";
import { SECOND_MS, type Clock } from "./clock.ts";

/** Memory and CPU of this thread and its process. */
export interface Footprint {
  /** Heap size of this thread. */
  heapBytes(): number;
  /** CPU time of the whole process since its start. */
  workedMs(): number;
  /** Blocks this thread: 10 to 50 ms for a heap of 20 to 40 MB. */
  collect(): void;
}

export interface CollectAtRestOptions {
  clock: Clock;
  /** Whether this thread may be blocked now. */
  isFree?: () => boolean;
  footprint?: Footprint;
}

const LOOK_MS = SECOND_MS;
/** Share of one core. An idle appliance uses 1 or 2 %; a single conversation uses more than this. */
const RESTING_SHARE = 0.1;
/** Minimum growth that justifies a collection. */
const LEAST_GROWTH_BYTES = 4 * 2 ** 20;

const ownFootprint: Footprint = {
  heapBytes: heapSize,
  workedMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  collect: () => Bun.gc(true),
};

/** Checks once a second. The returned function stops it. */
export function collectAtRest(options: CollectAtRestOptions): () => void {
  const { clock, isFree = () => true, footprint = ownFootprint } = options;
  let leastBytes = footprint.heapBytes();
  let lookedAtMs = clock.elapsedMs();
  let workedMs = footprint.workedMs();
  let cancel = clock.after(LOOK_MS, look);

  function look(): void {
    const [atMs, workedSoFarMs, bytes] = [clock.elapsedMs(), footprint.workedMs(), footprint.heapBytes()];
    const share = (workedSoFarMs - workedMs) / Math.max(1, atMs - lookedAtMs);
    [lookedAtMs, workedMs] = [atMs, workedSoFarMs];
    // The runtime also collects by itself, which lowers the baseline.
    leastBytes = Math.min(leastBytes, bytes);
    if (share < RESTING_SHARE && bytes - leastBytes >= LEAST_GROWTH_BYTES && isFree()) {
      footprint.collect();
      leastBytes = footprint.heapBytes();
    }
    cancel = clock.after(LOOK_MS, look);
  }

  return () => cancel();
}
