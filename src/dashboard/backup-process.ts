// Copies the database in a process of its own: this binary with its backup command.
import { dirname } from "node:path";

/** From source the runtime is bun and the program its first argument; compiled, the binary is both. */
function ownCommand(): string[] {
  const [, script = ""] = process.argv;
  return script.endsWith(".ts") ? [process.execPath, script] : [process.execPath];
}

export async function copyInOwnProcess(databaseFile: string, target: string): Promise<void> {
  const child = Bun.spawn([...ownCommand(), "backup", target, "--data", dirname(databaseFile)], { stdout: "ignore", stderr: "pipe" });
  const [code, complaint] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  if (code !== 0) throw new Error(complaint.trim());
}
