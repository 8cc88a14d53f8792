// Recordings on disk, in their own folder.
import { join } from "node:path";
import type { Ids } from "../core/ids.ts";
import type { FileKeys } from "../core/sealed-frames.ts";
import { createPrivateFolder, type PrivateFolder } from "./private-folder.ts";

export type Recordings = PrivateFolder;

export function createRecordings(dataDir: string, ids: Ids, keys: FileKeys | null = null): Recordings {
  return createPrivateFolder({ folder: join(dataDir, "recordings"), extension: ".wav", ids, keys });
}
