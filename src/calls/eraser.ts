// What the calls themselves are erased by: the call, what was said, what its line was like, and what was noted of the
// person.
import type { Eraser } from "../db/eraser.ts";
import { deleteNotesOf, forgetNotesWithCall } from "./people/contact-note-store.ts";
import { deleteCallTraces } from "./life/erasure-store.ts";

export const callsEraser: Eraser = {
  tables: ["calls", "call_results", "pending_analyses", "call_lines", "call_legs", "contact_notes", "contacts"],
  async eraseCall(tx, callId) {
    // While the call still tells whose it is.
    await forgetNotesWithCall(tx, callId);
    await deleteCallTraces(tx, callId);
  },
  eraseContact: deleteNotesOf,
};
