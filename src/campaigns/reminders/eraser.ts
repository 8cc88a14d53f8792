// What reminders forget with a call: which call it was. They hold nothing of the person.
import type { Eraser } from "../../db/eraser.ts";
import { forgetCall } from "./reminder-store.ts";

export const remindersEraser: Eraser = { tables: [], eraseCall: forgetCall };
