// Eraser of the calls folder: the call, its transcript, its line report and the notes about its person.
import type { Eraser } from "../db/eraser.ts";
import { deleteNotesOf, forgetNotesWithCall } from "./people/contact-note-store.ts";
import { forgetDoNotDisturbChanges } from "./people/do-not-disturb-change-store.ts";
import { isDoNotDisturb } from "./people/do-not-disturb-store.ts";
import { deleteCallTraces } from "./life/erasure-store.ts";

export const callsEraser: Eraser = {
  tables: ["calls", "call_results", "pending_analyses", "call_lines", "call_legs", "contact_notes", "contacts"],
  async eraseCall(tx, callId, youngest) {
    // Must run while the call row still has the contact.
    await forgetNotesWithCall(tx, callId, youngest);
    await deleteCallTraces(tx, callId);
  },
  async eraseContact(tx, organisationId, number) {
    await deleteNotesOf(tx, organisationId, number);
    const isListed = await isDoNotDisturb(tx, organisationId, number);
    await forgetDoNotDisturbChanges(tx, organisationId, number, isListed);
  },
};
