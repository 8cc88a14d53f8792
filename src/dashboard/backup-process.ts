// Copies the database in a process of its own: this binary with its backup command.
import { ownCommand } from "../core/own-command.ts";

export async function copyInOwnProcess(dataDir: string, target: string, signal: AbortSignal): Promise<void> {
  const command = [...ownCommand(), "backup", target, "--data", dataDir];
  // It has nothing to put in order at the end, and must not write a byte more once it is told to stop.
  const child = Bun.spawn(command, { stdout: "ignore", stderr: "pipe", signal, killSignal: "SIGKILL" });
  const [code, said] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  // The lines before the last tell how far it was.
  if (code !== 0) throw new Error(said.trim().split("\n").at(-1));
}
