// Doctor check of the place for drop folders.
import { accessSync, constants, existsSync, statSync } from "node:fs";
import type { Config } from "../config/schema.ts";
import type { Finding } from "./doctor-checks.ts";

/** Nothing if it is not used. */
export function checkFolders({ folders: { root } }: Config): Finding[] {
  const check = "folders";
  if (root === "") return [];
  if (!existsSync(root))
    return [{ check, state: "FAIL", message: `${root} (folders.root) is not there. Make it, or name another place.` }];
  try {
    accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    const message = `${root} (folders.root) cannot be written by this user. Give it to the user who runs Ringward.`;
    return [{ check, state: "FAIL", message }];
  }
  if ((statSync(root).mode & 0o007) !== 0)
    return [{ check, state: "warn", message: `Others may look into ${root}: run "chmod o-rwx ${root}".` }];
  return [{ check, state: "ok", message: `${root} can be read and written.` }];
}
