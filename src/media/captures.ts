// Packet captures on disk, in their own folder. Each has the name of its call's recording (calls/talks/dial-plan.ts).
import { join } from "node:path";
import type { Ids } from "../core/ids.ts";
import { createPrivateFolder, type PrivateFolder } from "./private-folder.ts";

export type Captures = PrivateFolder;

export function createCaptures(dataDir: string, ids: Ids): Captures {
  return createPrivateFolder(join(dataDir, "captures"), ".pcap", ids);
}
