// A backup in a process of its own: this executable with an internal command. Its order, which may have secrets, goes
// over standard input.
import type { BackupSettings } from "../../config/backup-settings.ts";
import { ownCommand } from "../../core/own-command.ts";
import { BackupError } from "../archive/fault.ts";
import type { SecuritySettings } from "../port.ts";

export const BACKUP_PROCESS = "make-backup";

/**
 * `kept`: a backup by the settings. `keys`: only the key file of people. `copy`: one archive of the database, for a
 * download.
 */
export type BackupProcessOrder = { dataDir: string; security: SecuritySettings } & (
  | { kind: "kept"; settings: BackupSettings; now: number; mayRemove: boolean }
  | { kind: "keys"; settings: BackupSettings; now: number }
  | { kind: "copy"; target: string; now: number }
);

export async function backUpInOwnProcess(order: BackupProcessOrder, signal: AbortSignal): Promise<void> {
  // SIGKILL is safe: every step of a backup can be interrupted.
  const child = Bun.spawn([...ownCommand(), BACKUP_PROCESS], {
    stdin: new Blob([JSON.stringify(order)]),
    stdout: "ignore",
    stderr: "pipe",
    signal,
    killSignal: "SIGKILL",
  });
  const [code, said] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  // The last line is the error. The lines before it are progress.
  if (code !== 0) throw new BackupError(said.trim().split("\n").at(-1) ?? "");
}
