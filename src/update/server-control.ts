// Stops and starts the server: through systemd, if the running server belongs to one of its units, or through the
// operator's commands.
import { readFileSync } from "node:fs";
import { AppError, messageOf } from "../core/errors.ts";

export interface ServerControl {
  /** Display name: `systemctl`, or the operator's commands. */
  readonly by: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** True once the service manager has given up on the server; false if unknown. */
  hasFailed(): Promise<boolean>;
}

interface Ended {
  code: number;
  output: string;
}

async function run(command: readonly string[]): Promise<Ended> {
  try {
    // In a separate session, because Ctrl-C signals every process of the terminal's group.
    const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "pipe", detached: true });
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    return { code: await child.exited, output: `${out}${err}`.trim() };
  } catch (error) {
    return { code: 127, output: messageOf(error) };
  }
}

async function mustRun(command: readonly string[]): Promise<void> {
  const { code, output } = await run(command);
  if (code !== 0) throw new AppError("CONFLICT", `"${command.join(" ")}" failed (exit code ${code}): ${output}`);
}

export function bySystemd(unit: string): ServerControl {
  return {
    by: `systemctl (${unit})`,
    stop: () => mustRun(["systemctl", "stop", unit]),
    async start() {
      // A unit that failed repeatedly would not be started again for minutes. The command fails if nothing failed.
      await run(["systemctl", "reset-failed", unit]);
      await mustRun(["systemctl", "start", unit]);
    },
    hasFailed: async () => (await run(["systemctl", "is-failed", "--quiet", unit])).code === 0,
  };
}

/** `start` must return immediately and leave the server running. */
export function byCommands(stop: string, start: string): ServerControl {
  return {
    by: "--stop and --start",
    stop: () => mustRun(["sh", "-c", stop]),
    // A server that inherits our pipes would keep the command from ending.
    start: () => mustRun(["sh", "-c", `(${start}) >/dev/null 2>&1`]),
    hasFailed: async () => false,
  };
}

export async function isUnitActive(unit: string): Promise<boolean> {
  return (await run(["systemctl", "is-active", "--quiet", unit])).code === 0;
}

/** The systemd unit of a process, from /proc/PID/cgroup; null if it belongs to none. */
export function unitOfProcess(pid: number): string | null {
  try {
    return unitIn(readFileSync(`/proc/${pid}/cgroup`, "utf8"));
  } catch {
    return null;
  }
}

/** `0::/system.slice/ringward.service` → `ringward.service`. Units of login sessions are ignored. */
export function unitIn(cgroup: string): string | null {
  const [, unit] = /^0::\/system\.slice\/(?:[^\n]*\/)?([\w@.\\:-]+\.service)$/m.exec(cgroup) ?? [];
  return unit ?? null;
}
