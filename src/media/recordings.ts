// Recordings on disk, in their own folder.
import { join } from "node:path";
import type { Ids } from "../core/ids.ts";
import { createPrivateFolder, type PrivateFolder } from "./private-folder.ts";

export type Recordings = PrivateFolder;

export function createRecordings(dataDir: string, ids: Ids): Recordings {
  return createPrivateFolder(join(dataDir, "recordings"), ".wav", ids);
}
