// CPU usage of a running process per thread on Linux, and its CPU affinity.
import { readdirSync, readFileSync } from "node:fs";

/** USER_HZ: 100 on every Linux that Bun runs on. */
const TICKS_PER_SECOND = 100;

export interface CpuUse {
  /** Seconds since its start, by thread id. The first thread has the process id. */
  threads: Map<number, number>;
  totalSeconds: number;
}

export function cpuUse(pid: number): CpuUse {
  const threads = new Map<number, number>();
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    try {
      const stat = readFileSync(`/proc/${pid}/task/${id}/stat`, "utf8");
      // The name is in parentheses and may contain spaces; user and system time are the 12th and 13th fields after it.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      threads.set(Number(id), (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND);
    } catch {
      continue; // The thread ended meanwhile.
    }
  }
  return { threads, totalSeconds: [...threads.values()].reduce((sum, seconds) => sum + seconds, 0) };
}

/** Seconds used between two samples, busiest thread first. */
export function cpuBetween(before: CpuUse, after: CpuUse): { thread: number; seconds: number }[] {
  return [...after.threads]
    .map(([thread, seconds]) => ({ thread, seconds: seconds - (before.threads.get(thread) ?? 0) }))
    .toSorted((a, b) => b.seconds - a.seconds);
}

/** Pins a thread to a core with taskset of util-linux. Ignores threads that have ended. */
export function pinThread(thread: number, core: number): void {
  run("taskset", "--pid", "--cpu-list", String(core), String(thread));
}

/** Gives a thread priority over other programs. Needs root. */
export function putFirst(thread: number): void {
  run("renice", "-n", "-20", "-p", String(thread));
}

function run(...command: string[]): void {
  Bun.spawnSync(command, { stdout: "ignore", stderr: "ignore" });
}

export const canPin = Bun.which("taskset") !== null && navigator.hardwareConcurrency >= 2;
export const canPutFirst = Bun.which("renice") !== null && process.getuid?.() === 0;
