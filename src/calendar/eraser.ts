// Erasure in the calendar: with a call, the contact data of its appointments; with a person, that of all their
// appointments. The slots stay booked.
import type { Eraser } from "../db/eraser.ts";
import { forgetContact, forgetContactsOfCall } from "./appointment-store.ts";
import { forgetIdentifiersOf } from "./identifier-store.ts";

export const calendarEraser: Eraser = {
  tables: ["appointments", "contact_identifiers"],
  eraseCall: forgetContactsOfCall,
  async eraseContact(tx, organisationId, number, now) {
    await forgetContact(tx, organisationId, number, now);
    await forgetIdentifiersOf(tx, organisationId, number);
  },
};
