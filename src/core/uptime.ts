// Uptime of the machine, including suspend, and its boot id. It distinguishes a restart of the process from one of the
// machine, and a suspended machine from a changed clock. Linux only; containers share the host's values.
import { openSync, readFileSync, readSync } from "node:fs";
import { lazily } from "./lazily.ts";

export interface Uptime {
  /** Changes at each boot of the machine. A whole number below 2^32. */
  bootId: number;
  ms: number;
}

const bootId = lazily(() => Number.parseInt(textOf("/proc/sys/kernel/random/boot_id").slice(0, 8), 16));

/** Kept open: a process without free descriptors must still be able to read it. Null if it cannot be opened. */
const uptimeFile = lazily(() => {
  try {
    return openSync("/proc/uptime", "r");
  } catch {
    return null;
  }
});
const LONGEST_TEXT = 64;

/** Null if the system does not report it. Reads a kernel file, which takes some microseconds. */
export function machineUptime(): Uptime | null {
  const file = uptimeFile();
  if (file === null) return null;
  const text = Buffer.alloc(LONGEST_TEXT);
  readSync(file, text, 0, LONGEST_TEXT, 0);
  const ms = Math.round(Number.parseFloat(text.toString()) * 1_000);
  return Number.isNaN(ms) || Number.isNaN(bootId()) ? null : { bootId: bootId(), ms };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
