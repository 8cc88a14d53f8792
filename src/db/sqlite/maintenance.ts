// What a database in a file needs from time to time.
import type { Maintenance } from "../port.ts";
import { isLarge } from "./file.ts";
import type { Soundness } from "./soundness.ts";
import type { Upkeep } from "./free-space/upkeep.ts";
import type { WhileIdle } from "./heavy-reader.ts";

export function maintenanceOf(
  file: string,
  freeSpace: Upkeep,
  whileIdle: WhileIdle,
  fault: Soundness["fault"],
): Maintenance {
  return {
    where: file,
    file,
    leftByErasure: [],
    isLookedThroughLater: isLarge(file),
    isWipeAwaited: true,
    fault,
    /** Out of the WAL and out of the free space of pages, whatever table they were of; see free-space/wipe.ts. */
    wipe: () => whileIdle(() => freeSpace.wipe()),
    /** A checkpoint that found no reader in its way keeps the WAL from growing through a busy day. */
    upkeep: () => whileIdle(() => freeSpace.truncateWal()),
  };
}
