// Worklist items: matters that need a person.
import type { Row } from "../db/tables.ts";

export type WorklistItem = Row<"worklist_items">;
