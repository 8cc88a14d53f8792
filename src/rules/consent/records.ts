// Consents and their changes.
import type { Row } from "../../db/tables.ts";

export type Consent = Row<"consents">;
export type ConsentChange = Row<"consent_changes">;
