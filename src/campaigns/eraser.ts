// Eraser of campaigns: clears the person in list rows, with a call or with the whole person.
import type { Eraser } from "../db/eraser.ts";
import { forgetContactRows, forgetRowOf } from "./row-store.ts";

export const campaignsEraser: Eraser = {
  tables: ["campaign_rows"],
  eraseCall: forgetRowOf,
  eraseContact: forgetContactRows,
};
