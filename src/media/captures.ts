// Packet captures on disk, in their own folder. Each has the name of its call's recording (calls/talks/dial-plan.ts).
import { join } from "node:path";
import type { Ids } from "../core/ids.ts";
import type { FileKeys } from "../core/sealed-frames.ts";
import { createPrivateFolder, type PrivateFolder } from "./private-folder.ts";

export type Captures = PrivateFolder;

export function createCaptures(dataDir: string, ids: Ids, keys: FileKeys | null = null): Captures {
  return createPrivateFolder({ folder: join(dataDir, "captures"), extension: ".pcap", ids, keys });
}
