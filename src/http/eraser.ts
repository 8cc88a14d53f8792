// Erasure of stored idempotency responses about a call or a person.
import type { Eraser } from "../db/eraser.ts";
import { deleteResponsesAbout, holdsOfCall, subjectsOfContact } from "./idempotency-store.ts";

export const responsesEraser: Eraser = {
  tables: ["idempotency_keys"],
  async eraseCall(tx, callId) {
    for (const id of [callId, ...(await holdsOfCall(tx, callId))]) await deleteResponsesAbout(tx, id);
  },
  // Runs before the other modules delete the references to the person.
  async eraseContact(tx, organisationId, number) {
    for (const id of await subjectsOfContact(tx, organisationId, number)) await deleteResponsesAbout(tx, id);
  },
};
