// What is forgotten with a call here: that somebody had to see to it, and why. Who it was stands in the call alone.
import type { Eraser } from "../db/eraser.ts";
import { deleteItemsOf } from "./worklist-store.ts";

export const worklistEraser: Eraser = { tables: ["worklist_items"], eraseCall: deleteItemsOf };
