// Gives memory back when there is nothing to do. The runtime collects by how much is asked for, so what a busy time
// left lies about for as long as nobody asks for more: 40 MB after half an hour of a hospital's work, of which a
// collection leaves nothing.
import { heapSize } from "bun:jsc";
import { SECOND_MS, type Clock } from "./clock.ts";

/** What is known of this thread and its process. */
export interface Footprint {
  /** Of this thread's objects. */
  heapBytes(): number;
  /** Of the processor, by the whole process since its start. */
  workedMs(): number;
  /** Holds up this thread: 10 to 50 ms for a heap of 20 to 40 MB. */
  collect(): void;
}

export interface CollectAtRestOptions {
  clock: Clock;
  /** Whether this thread may be held up now. */
  isFree?: () => boolean;
  footprint?: Footprint;
}

const LOOK_MS = SECOND_MS;
/** Of one core. An appliance that waits takes 1 or 2 %, and each talk more than this by itself. */
const RESTING_SHARE = 0.1;
/** Less than this is not worth it. */
const LEAST_GROWTH_BYTES = 4 * 2 ** 20;

const ownFootprint: Footprint = {
  heapBytes: heapSize,
  workedMs() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  collect: () => Bun.gc(true),
};

/** From now on, once a second. The returned function ends it. */
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
    // It collects by itself too, and then there is less to begin from.
    leastBytes = Math.min(leastBytes, bytes);
    if (share < RESTING_SHARE && bytes - leastBytes >= LEAST_GROWTH_BYTES && isFree()) {
      footprint.collect();
      leastBytes = footprint.heapBytes();
    }
    cancel = clock.after(LOOK_MS, look);
  }

  return () => cancel();
}
