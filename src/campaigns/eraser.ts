// What is forgotten of a campaign's list when a call of it is erased: whom the row was about.
import type { Eraser } from "../db/eraser.ts";
import { forgetContactRows, forgetRowOf } from "./row-store.ts";

export const campaignsEraser: Eraser = {
  tables: ["campaign_rows"],
  eraseCall: forgetRowOf,
  eraseContact: forgetContactRows,
};
