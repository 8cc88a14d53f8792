// What the calendar forgets: with a call who made the appointments of it, with a person all of theirs. The slots stay
// booked.
import type { Eraser } from "../db/eraser.ts";
import { forgetContact, forgetContactsOfCall } from "./appointment-store.ts";

export const calendarEraser: Eraser = {
  tables: ["appointments"],
  eraseCall: forgetContactsOfCall,
  async eraseContact(tx, organisationId, number, now) {
    await forgetContact(tx, organisationId, number, now);
  },
};
