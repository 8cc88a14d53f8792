// Erasure: the stored originals of refused messages about a person. Other messages are stored without patients' data.
import type { Eraser } from "../../db/eraser.ts";
import { forgetCallee, forgetContact } from "./log/log-store.ts";

export const hl7Eraser: Eraser = {
  tables: ["hl7_messages"],
  eraseCall: forgetCallee,
  eraseContact: (tx, organisationId, contactNumber) => forgetContact(tx, organisationId, contactNumber),
};
