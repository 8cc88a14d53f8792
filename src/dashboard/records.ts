// Changes, as pages that are open are told of them.
import type { Row } from "../db/tables.ts";

export type Change = Row<"changes">;
