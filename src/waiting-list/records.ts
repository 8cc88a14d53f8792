// Who waits, what is offered, which slots have opened.
import type { Row } from "../db/tables.ts";

export type WaitingEntry = Row<"waiting_list">;
export type WaitingOffer = Row<"waiting_offers">;
export type WaitingOpening = Row<"waiting_openings">;

export type WaitingState = WaitingEntry["state"];
