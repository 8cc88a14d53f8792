// Erasure of a call's share token.
import type { Eraser } from "../db/eraser.ts";
import { deleteShare } from "./share-store.ts";

export const sharesEraser: Eraser = { tables: ["call_shares"], eraseCall: deleteShare };
