// Child process that encrypts, decrypts or changes the key of a data folder, and kills itself at the given step. Usage:
// killed-conversion.ts DATA_DIR KEY_FILE encrypt|decrypt|again STEP
import { convertData } from "../../../src/db/backup/convert-data.ts";
import { securityOf } from "./ground.ts";

const [dataDir = "", key = "", what = "", killedAt = ""] = process.argv.slice(2);
let left = Number(killedAt);
const step = () => {
  if (left-- === 0) process.kill(process.pid, "SIGKILL");
};
await convertData({
  place: { dataDir, security: securityOf(key) },
  to: what === "decrypt" ? "decrypt" : "encrypt",
  withNewKey: what === "again",
  convertFiles: () => {},
  progress: step,
  step,
});
