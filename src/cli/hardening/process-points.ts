// Hardening points about the running process and the machine, read from /proc. Linux only.
import { notApplicable, ok, open, openIfAny, type Grounds, type Point } from "./point.ts";

const NO_SERVER = notApplicable("No server runs on this data folder: start it and run this again.");
const SECCOMP_FILTER = "2";

/** Null without a server, and on other systems. */
function statusOf({ serverPid, textOf }: Grounds): ((name: string) => string) | null {
  const status = serverPid === null ? null : textOf(`/proc/${serverPid}/status`);
  if (status === null) return null;
  return (name) => new RegExp(`^${name}:\\s*(.*)$`, "m").exec(status)?.[1]?.trim() ?? "";
}

export function notRoot(grounds: Grounds): Point {
  const status = statusOf(grounds);
  if (status === null) return NO_SERVER;
  const ids = status("Uid").split(/\s+/);
  if (!ids.includes("0")) return ok("The server runs as a user of its own.");
  return open("The server runs as root. Use the service unit, or the container's user.");
}

/** As config/ringward.service and config/compose.yaml have it. */
export function sandbox(grounds: Grounds): Point {
  const status = statusOf(grounds);
  if (status === null) return NO_SERVER;
  const missing = [
    status("NoNewPrivs") === "1" ? [] : "NoNewPrivileges",
    status("Seccomp") === SECCOMP_FILTER ? [] : "a filter of system calls (seccomp)",
    /^0+$/.test(status("CapEff")) ? [] : "no capabilities",
  ].flat();
  if (missing.length === 0) return ok("No new privileges, a filter of system calls, no capabilities.");
  return open(`Missing: ${missing.join(", ")}. Start the server by config/ringward.service or config/compose.yaml.`);
}

export function coreDumps({ serverPid, textOf }: Grounds): Point {
  const limits = serverPid === null ? null : textOf(`/proc/${serverPid}/limits`);
  if (limits === null) return NO_SERVER;
  const [, soft] = /^Max core file size +(\S+)/m.exec(limits) ?? [];
  if (soft === "0") return ok("A crash writes no memory to the disk.");
  return open("A crash writes memory, with keys and patients' data, to the disk. Set LimitCORE=0 (ulimit -c 0).");
}

/** zram stays in memory; dm-crypt is encrypted. */
export function swap({ textOf }: Grounds): Point {
  const swaps = textOf("/proc/swaps");
  if (swaps === null) return notApplicable("This system does not tell.");
  const devices = swaps
    .split("\n")
    .slice(1)
    .flatMap((line) => /^\S+/.exec(line)?.[0] ?? []);
  const plain = devices.filter((device) => {
    const name = device.replace("/dev/", "");
    const isEncrypted = textOf(`/sys/block/${name}/dm/uuid`)?.startsWith("CRYPT-") ?? false;
    return !isEncrypted && !name.startsWith("zram");
  });
  const faults = plain.map((device) => `${device} is not encrypted: memory with keys may be written to it.`);
  return openIfAny(faults, devices.length === 0 ? "None." : "Encrypted, or in memory.");
}
