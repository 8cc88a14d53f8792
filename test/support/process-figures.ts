// What a running process has used, as Linux counts it: its peak memory, and the processor time of its main thread.
import { readFileSync } from "node:fs";

/** Of resident memory, since the process began. */
export function peakMegabytes(pid: number): number {
  const [, kilobytes = "0"] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1_024;
}

export function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}
