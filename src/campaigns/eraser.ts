// What is forgotten with a call, or with a person as a whole: the person in the row of a campaign's list.
import type { Eraser } from "../db/eraser.ts";
import { forgetContactRows, forgetRowOf } from "./row-store.ts";

export const campaignsEraser: Eraser = {
  tables: ["campaign_rows"],
  eraseCall: forgetRowOf,
  eraseContact: forgetContactRows,
};
