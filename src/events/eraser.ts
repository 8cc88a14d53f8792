// Erasure of the events of a call, and of the events about a person's consents, with deliveries, attempts and the
// receivers' responses.
import type { Eraser } from "../db/eraser.ts";
import { deleteEventsAbout } from "./order-store.ts";

export const eventsEraser: Eraser = {
  tables: ["events", "delivery_attempts"],
  eraseCall: (tx, callId) => deleteEventsAbout(tx, { callId }),
  eraseContact: (tx, organisationId, contactNumber) => deleteEventsAbout(tx, { organisationId, contactNumber }),
};
