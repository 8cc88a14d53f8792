// What a database in a file needs from time to time.
import type { Maintenance } from "../port.ts";
import { isLarge } from "./file.ts";
import type { Upkeep } from "./free-space/upkeep.ts";

export function maintenanceOf(file: string, freeSpace: Upkeep): Maintenance {
  return {
    where: file,
    file,
    leftByErasure: [],
    isLookedThroughLater: isLarge(file),
    /** Out of the WAL and out of the free space of pages, whatever table they were of; see free-space/wipe.ts. */
    wipe: () => freeSpace.wipe(),
    /** A checkpoint that found no reader in its way keeps the WAL from growing through a busy day. */
    upkeep: async () => freeSpace.truncateWal(),
  };
}
