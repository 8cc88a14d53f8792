// Files that a source delivered.
import type { Row } from "../../db/tables.ts";

export type SourceFile = Row<"source_files">;

/** What became of its rows. */
export type FileCounts = Pick<SourceFile, "created" | "updated" | "unchanged" | "faults" | "cancelled">;
