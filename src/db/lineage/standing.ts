// Compares a database with the data folder's last known state of it. The comparison uses counts, so a wrong clock
// cannot make the database look old. Pure.
import type { Row } from "../tables.ts";
import type { FolderMemory } from "./folder-memory.ts";

export type Standing =
  /** Continues where it stopped, or was handed over by a server that shut down cleanly. */
  | "current"
  /** Never served before, or only by a version without the count. */
  | "new"
  /** Put in place by `ringward restore`, which has held the due work. */
  | "restored"
  /** The data folder has seen a later state. */
  | "behind"
  /**
   * Last served from another data folder, and not shut down there. A dump or a copy of a running appliance looks the
   * same.
   */
  | "unproven";

export const isHeld = (standing: Standing): standing is "behind" | "unproven" =>
  standing === "behind" || standing === "unproven";

/** `hasCalls` distinguishes a database from before the count from an empty one. */
export function standingOf(memory: FolderMemory | null, row: Row<"lineage"> | undefined, hasCalls: boolean): Standing {
  if (memory !== null && memory.restoredAt !== null) return "restored";
  if (!row) return memory && memory.databases.length > 0 && hasCalls ? "behind" : "new";
  const known = memory?.databases.find(({ line }) => line === row.line);
  if (known && row.beat < known.beat) return "behind";
  if (known && row.folder === memory?.folder) return "current";
  return row.is_stopped === 1 ? "current" : "unproven";
}
