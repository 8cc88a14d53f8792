// Waiting-list entries, offers and open slots.
import type { DaySession } from "../calendar/records.ts";
import { meanings, words, type Meant } from "../db/meaning.ts";
import type { Row } from "../db/tables.ts";

/** An empty list of sessions means any. */
export const entryMeaning = meanings<"waiting_list">()({ sessions: words<DaySession>() });
export type WaitingEntry = Meant<typeof entryMeaning>;
export type WaitingOffer = Row<"waiting_offers">;
export type WaitingOpening = Row<"waiting_openings">;

export type WaitingState = WaitingEntry["state"];
