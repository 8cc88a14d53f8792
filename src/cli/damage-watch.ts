// Looks through a large database beside the server that has just opened it: in a process of its own, behind everybody
// else, because before the start it would keep the port closed for seconds.
import { constants, setPriority } from "node:os";
import { RESTORE_WORDS } from "../db/open-fault.ts";
import { ownCommand } from "../core/own-command.ts";

export interface DamageWatch {
  /** What is wrong with it; null where all is well or it could not be told. */
  readonly found: Promise<string | null>;
  /** Nobody wants to know any more. */
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
  // One that could not be read just now is no reason to stop.
  return finding?.message.endsWith(RESTORE_WORDS) ? finding.message : null;
}
