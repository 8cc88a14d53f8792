// Erasure of stored idempotency responses about a call or a person.
import type { Eraser } from "../db/eraser.ts";
import { deleteResponsesAbout, subjectsOfContact } from "./idempotency-store.ts";

export const responsesEraser: Eraser = {
  tables: ["idempotency_keys"],
  eraseCall: deleteResponsesAbout,
  // Runs before the other modules delete the references to the person.
  async eraseContact(tx, organisationId, number) {
    for (const id of await subjectsOfContact(tx, organisationId, number)) await deleteResponsesAbout(tx, id);
  },
};
