// What is forgotten with a call or a person here: the answers kept for requests that may come twice.
import type { Eraser } from "../db/eraser.ts";
import { deleteResponsesAbout, subjectsOfContact } from "./idempotency-store.ts";

export const responsesEraser: Eraser = {
  tables: ["idempotency_keys"],
  eraseCall: deleteResponsesAbout,
  // Before the other rooms forget whose these are.
  async eraseContact(tx, organisationId, number) {
    for (const id of await subjectsOfContact(tx, organisationId, number)) await deleteResponsesAbout(tx, id);
  },
};
