// How long a process waited for a core, from Linux's schedstat. A busy machine adds this time to everything the process
// does, so limits exclude it. On other systems it is unknown and counts as zero.
import { readdirSync, readFileSync } from "node:fs";
import { until } from "./until.ts";

const NANOSECONDS_PER_MS = 1_000_000;
const EVERY_MS = 100;

export interface CpuWait {
  /** Between two moments of `performance.now()`, of the thread that waited longest. */
  between(fromMs: number, toMs: number): number;
}

/** By thread, since it began. */
type Waited = ReadonlyMap<string, number>;

/** Until the process ends; `others`: on which it depends. */
export function watchCpuWait(pid: number, ...others: readonly number[]): CpuWait {
  const seen: { atMs: number; waited: Waited }[] = [];
  const look = () => {
    const waited = waitedMs(pid);
    const isGone = waited.size === 0;
    if (!isGone)
      seen.push({
        atMs: performance.now(),
        waited: new Map([waited, ...others.map(waitedMs)].flatMap((each) => [...each])),
      });
    return isGone;
  };
  void until(look, { everyMs: EVERY_MS, withinMs: Infinity });
  return {
    between(fromMs, toMs) {
      const before = seen.findLast(({ atMs }) => atMs <= fromMs) ?? seen[0];
      const after = seen.find(({ atMs }) => atMs >= toMs) ?? seen.at(-1);
      const waits = Array.from(after?.waited ?? [], ([thread, ms]) => ms - (before?.waited.get(thread) ?? 0));
      return Math.max(0, ...waits);
    },
  };
}

function waitedMs(pid: number): Waited {
  const waited = new Map<string, number>();
  for (const thread of threadsOf(pid)) {
    try {
      const [, nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
      waited.set(thread, Number(nanoseconds) / NANOSECONDS_PER_MS);
    } catch {
      // It has just ended.
    }
  }
  return waited;
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}
