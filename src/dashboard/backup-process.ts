// Copies the database in a child process: this binary with its backup command.
import { ownCommand } from "../core/own-command.ts";

export async function copyInOwnProcess(dataDir: string, target: string, signal: AbortSignal): Promise<void> {
  const command = [...ownCommand(), "backup", target, "--data", dataDir];
  // SIGKILL is safe: the process has no cleanup to do, and must not write anything after the abort.
  const child = Bun.spawn(command, { stdout: "ignore", stderr: "pipe", signal, killSignal: "SIGKILL" });
  const [code, said] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  // The last line is the error. The lines before it are progress.
  if (code !== 0) throw new Error(said.trim().split("\n").at(-1));
}
