// Erasure of a call's share tokens.
import type { Eraser } from "../db/eraser.ts";
import { deleteShare, deleteSingleShare } from "./share-store.ts";

export const sharesEraser: Eraser = {
  tables: ["call_shares", "single_shares"],
  async eraseCall(tx, callId) {
    await deleteShare(tx, callId);
    await deleteSingleShare(tx, callId);
  },
};
