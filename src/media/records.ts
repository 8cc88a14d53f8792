// Shared calls, and files that are still to be removed.
import type { Row } from "../db/tables.ts";

export type CallShare = Row<"call_shares">;
export type FileRemoval = Row<"file_removals">;
