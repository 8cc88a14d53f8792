// Checks a large database for damage after the server has opened it. The check runs in a separate low-priority process,
// because before the start it would keep the port closed for seconds.
import { constants, setPriority } from "node:os";
import { RESTORE_WORDS } from "../db/open-fault.ts";
import { ownCommand } from "../core/own-command.ts";

export interface DamageWatch {
  /** Description of the damage; null if there is none or the check was inconclusive. */
  readonly found: Promise<string | null>;
  /** Kills the check. */
  stop(): void;
}

export function watchForDamage(dataDir: string): DamageWatch {
  const command = [...ownCommand(), "doctor", "--database", "--json", "--data", dataDir];
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "ignore" });
  setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const said = new Response(child.stdout).text();
  return {
    found: child.exited.then(async (code) => (code === 1 ? faultIn(await said) : null)),
    stop: () => child.kill("SIGKILL"),
  };
}

function faultIn(json: string): string | null {
  const [finding] = JSON.parse(json) as { message: string }[];
  // A database that is temporarily unreadable is no reason to stop.
  return finding?.message.endsWith(RESTORE_WORDS) ? finding.message : null;
}
