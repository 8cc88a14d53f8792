// Resource usage of a child process, from Linux's /proc. Unknown on other systems.
import { readFileSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";

export interface ProcessUse {
  /** CPU time of all its threads, since it started. */
  cpuMs: number;
  /** Resident memory. */
  megabytes: number;
}

/** Linux reports ticks of 10 ms, regardless of the kernel's own clock. */
const MS_PER_TICK = 10;
/** Below everything that serves requests or speaks: on a busy machine, a third of what each of the others gets. */
const LOW_PRIORITY = 5;

export const processUse = {
  /** Null if the process has ended, or the system does not report it. */
  of(pid: number): ProcessUse | null {
    try {
      // The second field is the name in parentheses, which may contain spaces.
      const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? [];
      const [, kilobytes = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
      return {
        cpuMs: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * MS_PER_TICK,
        megabytes: Number(kilobytes) / 1_024,
      };
    } catch {
      return null;
    }
  },

  /** Lowers the process's CPU priority, and makes it the first victim of the OOM killer instead of the server. */
  yieldToOthers(pid: number): void {
    try {
      setPriority(pid, LOW_PRIORITY);
      writeFileSync(`/proc/${pid}/oom_score_adj`, "1000");
    } catch {
      // The process may have ended, or the system supports neither.
    }
  },
};
