// Recordings on disk, in a folder of their own.
import { join } from "node:path";
import type { Ids } from "../core/ids.ts";
import { createPrivateFolder, type PrivateFolder } from "./private-folder.ts";

export type Recordings = PrivateFolder;

export function createRecordings(dataDir: string, ids: Ids): Recordings {
  return createPrivateFolder(join(dataDir, "recordings"), ".wav", ids);
}
