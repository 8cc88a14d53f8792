// Whether a database is as far as the data folder has seen it: compared by count, so that no clock can make it look
// old. Pure.
import type { Row } from "../tables.ts";
import type { FolderMemory } from "./folder-memory.ts";

export type Standing =
  /** Goes on where it was left, or was handed over by a server that stopped in order. */
  | "current"
  /** Never served before, or by a Ringward that did not count yet. */
  | "new"
  /** Put in place by `ringward restore`, which has held what was due. */
  | "restored"
  /** The data folder has seen it further. */
  | "behind"
  /**
   * Served last from another data folder, and not stopped there: a dump or a copy of a running appliance looks the
   * same.
   */
  | "unproven";

export const isHeld = (standing: Standing): standing is "behind" | "unproven" =>
  standing === "behind" || standing === "unproven";

/** `hasCalls` tells a database from before the count from an empty one. */
export function standingOf(memory: FolderMemory | null, row: Row<"lineage"> | undefined, hasCalls: boolean): Standing {
  if (memory !== null && memory.restoredAt !== null) return "restored";
  if (!row) return memory && memory.databases.length > 0 && hasCalls ? "behind" : "new";
  const known = memory?.databases.find(({ line }) => line === row.line);
  if (known && row.beat < known.beat) return "behind";
  if (known && row.folder === memory?.folder) return "current";
  return row.is_stopped === 1 ? "current" : "unproven";
}
