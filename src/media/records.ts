// Row types of shared calls, and of files still to be removed.
import type { Row } from "../db/tables.ts";

export type CallShare = Row<"call_shares">;
export type SingleShare = Row<"single_shares">;
export type FileRemoval = Row<"file_removals">;
