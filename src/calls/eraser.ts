// Eraser of the calls folder: the call, its transcript, its line report and the notes about its person.
import type { Eraser } from "../db/eraser.ts";
import { deleteNotesOf, forgetNotesWithCall } from "./people/contact-note-store.ts";
import { deleteCallTraces } from "./life/erasure-store.ts";

export const callsEraser: Eraser = {
  tables: ["calls", "call_results", "pending_analyses", "call_lines", "call_legs", "contact_notes", "contacts"],
  async eraseCall(tx, callId) {
    // Must run while the call row still has the contact.
    await forgetNotesWithCall(tx, callId);
    await deleteCallTraces(tx, callId);
  },
  eraseContact: deleteNotesOf,
};
