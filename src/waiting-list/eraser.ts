// Eraser of the waiting list: entries and reserved slots, with a call or with the whole person.
import { deleteHoldsOfCall } from "../calendar/window-store.ts";
import type { Eraser } from "../db/eraser.ts";
import { deleteEntries, entriesOfCall, entriesOfNumber } from "./store.ts";

export const waitingListEraser: Eraser = {
  tables: ["waiting_list"],
  async eraseCall(tx, callId) {
    await deleteEntries(tx, await entriesOfCall(tx, callId));
    await deleteHoldsOfCall(tx, callId);
  },
  async eraseContact(tx, organisationId, number) {
    await deleteEntries(tx, await entriesOfNumber(tx, organisationId, number));
  },
};
