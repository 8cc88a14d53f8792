// Record types of e-mails.
import type { Row } from "../db/tables.ts";

export type WaitingMail = Row<"mails">;
