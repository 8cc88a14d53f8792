// Records of the change log and of saved filters.
import { json, meanings, type Meant } from "../db/meaning.ts";
import type { Row } from "../db/tables.ts";

export type Change = Row<"changes">;

export const filterMeaning = meanings<"saved_filters">()({ filters: json<Record<string, string>>() });
export type SavedFilter = Meant<typeof filterMeaning>;
