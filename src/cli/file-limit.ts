// Limit of open files and sockets, compared with the need of the settings. The runtime raises the soft limit to the
// hard limit at startup, so the value found is the maximum. A call without a free descriptor loses its recording.
import { readFileSync } from "node:fs";
import type { Config } from "../config/schema.ts";

/** Two audio sockets, the recording and the packet capture. */
const PER_CALL = 4;
/** Database, log, threads and listening sockets. An idle server used 17; the rest is reserve. */
const FOR_ITSELF = 64;
/** Concurrent connections of browsers, integrators and webhook receivers. */
const FOR_CONNECTIONS = 256;

export interface FileLimit {
  allowed: number;
  needed: number;
  /** Number of concurrent calls that `allowed` permits. */
  calls: number;
}

/** Null if the system sets no limit or does not report it (only Linux does). `pid` defaults to this process. */
export function fileLimit(config: Config, pid: number | "self" = "self"): FileLimit | null {
  const allowed = allowedIn(limitsOf(pid));
  if (allowed === null) return null;
  const calls = Math.max(0, Math.floor((allowed - FOR_ITSELF - FOR_CONNECTIONS) / PER_CALL));
  return { allowed, needed: neededFiles(config), calls };
}

/** Empty on other systems, and for processes of other users that may not be inspected. */
function limitsOf(pid: number | "self"): string {
  try {
    return readFileSync(`/proc/${pid}/limits`, "utf8");
  } catch {
    return "";
  }
}

/** `Max open files            1024                 524288               files`: the first figure applies. */
export function allowedIn(limits: string): number | null {
  const [, soft = ""] = /^Max open files +(\S+)/m.exec(limits) ?? [];
  return /^\d+$/.test(soft) ? Number(soft) : null;
}

export function neededFiles({ telephony, calls }: Config): number {
  const { rtp_port_from, rtp_port_to } = telephony.sip;
  const ports = Math.floor((rtp_port_to - rtp_port_from + 1) / 2);
  const mostCalls = calls.concurrent_calls === "unlimited" ? ports : Math.min(calls.concurrent_calls, ports);
  // Simulated calls have no sockets, and write their recordings one at a time.
  const forCalls = telephony.carrier === "sip" ? mostCalls * PER_CALL : 0;
  return FOR_ITSELF + FOR_CONNECTIONS + forCalls;
}

export const RAISE_LIMIT = "Raise it (LimitNOFILE in systemd, --ulimit nofile in Docker, ulimit -n in a shell).";
