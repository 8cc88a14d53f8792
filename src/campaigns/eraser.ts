// What is forgotten with a call, or with a person as a whole: whom the row of a campaign's list was about, whoever is on the
// waiting list, and which call a reminder made.
import { deleteHoldsOfCall } from "../calendar/window-store.ts";
import type { Eraser } from "../db/eraser.ts";
import { forgetCall } from "./reminders/reminder-store.ts";
import { forgetContactRows, forgetRowOf } from "./row-store.ts";
import { deleteEntries, entriesOfCall, entriesOfNumber } from "./waiting/store.ts";

export const campaignsEraser: Eraser = {
  tables: ["campaign_rows", "waiting_list"],
  async eraseCall(tx, callId) {
    await forgetRowOf(tx, callId);
    await forgetCall(tx, callId);
    await deleteEntries(tx, await entriesOfCall(tx, callId));
    await deleteHoldsOfCall(tx, callId);
  },
  async eraseContact(tx, organisationId, number) {
    await forgetContactRows(tx, organisationId, number);
    await deleteEntries(tx, await entriesOfNumber(tx, organisationId, number));
  },
};
