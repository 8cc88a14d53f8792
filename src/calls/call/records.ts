// Calls and their results, as every room above sees them.
import type { Row } from "../../db/tables.ts";

export type Call = Row<"calls">;
export type CallResult = Row<"call_results">;

export type CallSource = Call["source"];
export type CallState = Call["state"];
