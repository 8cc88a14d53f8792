// Retention holds, as other folders see them.
import type { Row } from "../../db/tables.ts";

export type RetentionHold = Row<"retention_holds">;
export type HoldSubject = RetentionHold["subject"];
