// Child process that restores, or completes a restore, and kills itself at the given step. Usage: killed-restore.ts
// DATA_DIR STEP [BACKUP]
import { finishRestore } from "../../../src/db/archive/pending-restore.ts";
import { restoreBackup } from "../../../src/db/backup/restore-backup.ts";

const [dataDir = "", killedAt = "", file] = process.argv.slice(2);
let left = Number(killedAt);
const step = () => {
  if (left-- === 0) process.kill(process.pid, "SIGKILL");
};
if (file === undefined) finishRestore(dataDir, step);
else restoreBackup({ file, dataDir, restoredAt: 1, stamp: "now", step });
