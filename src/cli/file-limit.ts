// How many files and sockets the process may open, against what the settings may need. The runtime raises the soft
// limit to the hard one at its start, so what is found is the most there is. A call without a descriptor left loses its
// recording.
import { readFileSync } from "node:fs";
import type { Config } from "../config/schema.ts";

/** Two sockets for audio, the recording and captured packets. */
const PER_CALL = 4;
/** Database, log, threads and listening sockets were 17 in an idle server; the rest is room. */
const FOR_ITSELF = 64;
/** Browsers, integrators and receivers of events at once. */
const FOR_CONNECTIONS = 256;

export interface FileLimit {
  allowed: number;
  needed: number;
  /** Calls at once for which `allowed` is enough. */
  calls: number;
}

/** Null where this system does not tell (only Linux does) or sets no limit. `pid` is this process unless given. */
export function fileLimit(config: Config, pid: number | "self" = "self"): FileLimit | null {
  const allowed = allowedIn(limitsOf(pid));
  if (allowed === null) return null;
  const calls = Math.max(0, Math.floor((allowed - FOR_ITSELF - FOR_CONNECTIONS) / PER_CALL));
  return { allowed, needed: neededFiles(config), calls };
}

/** Empty on other systems, and where one user may not look at another's processes. */
function limitsOf(pid: number | "self"): string {
  try {
    return readFileSync(`/proc/${pid}/limits`, "utf8");
  } catch {
    return "";
  }
}

/** `Max open files            1024                 524288               files`: the first figure is what holds. */
export function allowedIn(limits: string): number | null {
  const [, soft = ""] = /^Max open files +(\S+)/m.exec(limits) ?? [];
  return /^\d+$/.test(soft) ? Number(soft) : null;
}

export function neededFiles({ telephony, calls }: Config): number {
  const { rtp_port_from, rtp_port_to } = telephony.sip;
  const ports = Math.floor((rtp_port_to - rtp_port_from + 1) / 2);
  const mostCalls = calls.concurrent_calls === "unlimited" ? ports : Math.min(calls.concurrent_calls, ports);
  // Simulated calls have no sockets, and write their recordings one after the other.
  const forCalls = telephony.carrier === "sip" ? mostCalls * PER_CALL : 0;
  return FOR_ITSELF + FOR_CONNECTIONS + forCalls;
}

export const RAISE_LIMIT = "Raise it (LimitNOFILE in systemd, --ulimit nofile in Docker, ulimit -n in a shell).";
