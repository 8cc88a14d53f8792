// Eraser of retention holds: with a call, the ended holds on it and its person; with a person, those on them. A hold in
// force stops the erasure before this runs.
import type { Eraser } from "../../db/eraser.ts";
import { deleteHoldsOn, personOfCall } from "./hold-store.ts";

export const holdsEraser: Eraser = {
  tables: ["retention_holds"],
  // Must run while the call row still has the number.
  async eraseCall(tx, callId) {
    const call = await personOfCall(tx, callId);
    if (!call) return;
    const { organisation_id: organisationId, contact_number } = call;
    await deleteHoldsOn(tx, { organisationId, key: callId });
    // Empty for a withheld number, and then not a person's key.
    if (contact_number !== "") await deleteHoldsOn(tx, { organisationId, key: contact_number });
  },
  async eraseContact(tx, organisationId, number) {
    await deleteHoldsOn(tx, { organisationId, key: number });
  },
};
