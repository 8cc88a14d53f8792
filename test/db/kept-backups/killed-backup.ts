// Child process that makes a backup and kills itself at the given step. Usage: killed-backup.ts DATA_DIR TO DAY STEP
import { makeKeptBackup } from "../../../src/db/kept-backups/make-kept-backup.ts";
import { openBackupPlace } from "../../../src/db/kept-backups/open-backup-place.ts";
import { DAY, NOON, SECURITY, settingsOf } from "./kept.ts";
import { steppedPlace } from "./stepped.ts";

const [dataDir = "", to = "", day = "0", killedAt = "0"] = process.argv.slice(2);
let left = Number(killedAt);
const step = () => {
  if (left-- === 0) process.kill(process.pid, "SIGKILL");
};
const settings = settingsOf({ to, keep: 2 });
await makeKeptBackup({
  dataDir,
  settings,
  place: steppedPlace(openBackupPlace(settings), step),
  security: SECURITY,
  madeBy: "0.1.0",
  now: NOON + Number(day) * DAY,
  mayRemove: true,
  progress: step,
});
