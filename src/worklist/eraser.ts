// Eraser of the worklist: deletes the items of a call. Personal data is only in the call itself.
import type { Eraser } from "../db/eraser.ts";
import { deleteItemsOf } from "./worklist-store.ts";

export const worklistEraser: Eraser = { tables: ["worklist_items"], eraseCall: deleteItemsOf };
