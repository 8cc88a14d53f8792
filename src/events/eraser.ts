// Erasure of a call's events, with deliveries, attempts and the receivers' responses.
import type { Eraser } from "../db/eraser.ts";
import { deleteEventsAbout } from "./order-store.ts";

export const eventsEraser: Eraser = {
  tables: ["events", "delivery_attempts"],
  eraseCall: (tx, callId) => deleteEventsAbout(tx, { callId }),
};
