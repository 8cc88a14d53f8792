// What another process of ours uses, as Linux tells it. Elsewhere it is not known.
import { readFileSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";

export interface ProcessUse {
  /** Of all its threads, since it began. */
  cpuMs: number;
  /** Resident. */
  megabytes: number;
}

/** Linux counts in hundredths of a second, whatever the kernel's own clock is. */
const MS_PER_TICK = 10;
/** Below everything that serves or speaks; on a busy machine a third of what each of the others gets. */
const LOW_PRIORITY = 5;

export const processUse = {
  /** Null where it is gone, or the system does not tell. */
  of(pid: number): ProcessUse | null {
    try {
      // The second field is the name in brackets, which may hold spaces.
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

  /** Others get the processor first; where the machine runs out of memory, this process is ended and not the server. */
  yieldToOthers(pid: number): void {
    try {
      setPriority(pid, LOW_PRIORITY);
      writeFileSync(`/proc/${pid}/oom_score_adj`, "1000");
    } catch {
      // It may be gone, or this system may have neither.
    }
  },
};
