// Erasure of a person's consents. A consent is not part of a call: it stays when a call is erased.
import type { Eraser } from "../../db/eraser.ts";
import type { NumberHash } from "../../core/number-hash.ts";
import { deleteConsentsOf } from "./consent-store.ts";
import { consentsOf } from "./record-store.ts";
import { keepRefusal } from "./refusal-store.ts";

export const consentEraser: Eraser = {
  tables: [],
  async eraseCall() {},
  eraseContact: deleteConsentsOf,
};

/** Runs before `consentEraser`. What the person refused stays, as a keyed hash of the number. */
export function createRefusalKeeper(numberHash: NumberHash): Eraser {
  return {
    tables: [],
    async eraseCall() {},
    async eraseContact(tx, organisationId, number) {
      const number_hash = numberHash(organisationId, number);
      for (const { purpose, withdrawn_at: at } of await consentsOf(tx, organisationId, [number]))
        if (at !== null) await keepRefusal(tx, { organisation_id: organisationId, number_hash, purpose, at });
    },
  };
}
