// Periodic maintenance of the SQLite file.
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
    /** Removes deleted rows of all tables from the WAL and from the free space of pages; see free-space/wipe.ts. */
    wipe: () => freeSpace.wipe(),
    /** A checkpoint without a blocking reader keeps the WAL from growing through a busy day. */
    upkeep: () => whileIdle(() => freeSpace.truncateWal()),
  };
}
