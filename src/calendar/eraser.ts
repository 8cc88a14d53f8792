// What the calendar forgets with a call: who made the appointments of it. The slots stay booked.
import type { Eraser } from "../db/eraser.ts";
import { forgetContactsOfCall } from "./appointment-store.ts";

export const calendarEraser: Eraser = { tables: ["appointments"], eraseCall: forgetContactsOfCall };
