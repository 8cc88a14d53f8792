// What the events room forgets with a call: every event about it, with deliveries, attempts and what receivers
// answered.
import type { Eraser } from "../db/eraser.ts";
import { deleteEventsAbout } from "./order-store.ts";

export const eventsEraser: Eraser = {
  tables: ["events", "delivery_attempts"],
  eraseCall: (tx, callId) => deleteEventsAbout(tx, { callId }),
};
