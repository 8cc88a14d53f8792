// What is forgotten with a call here: the token by which anybody could open it.
import type { Eraser } from "../db/eraser.ts";
import { deleteShare } from "./share-store.ts";

export const sharesEraser: Eraser = { tables: ["call_shares"], eraseCall: deleteShare };
