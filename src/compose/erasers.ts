// Erasers of a call, in order.
import { calendarEraser } from "../calendar/eraser.ts";
import { callsEraser } from "../calls/eraser.ts";
import { campaignsEraser } from "../campaigns/eraser.ts";
import type { Eraser } from "../db/eraser.ts";
import { receivedEraser } from "../demo/eraser.ts";
import { eventsEraser } from "../events/eraser.ts";
import { responsesEraser } from "../http/eraser.ts";
import { sharesEraser } from "../media/eraser.ts";
import { remindersEraser } from "../reminders/reminders.ts";
import { waitingListEraser } from "../waiting-list/eraser.ts";
import { worklistEraser } from "../worklist/eraser.ts";

/** Calls come last, because other erasers may read them. */
export const ERASERS: readonly Eraser[] = [
  responsesEraser,
  campaignsEraser,
  remindersEraser,
  waitingListEraser,
  calendarEraser,
  receivedEraser,
  eventsEraser,
  sharesEraser,
  worklistEraser,
  callsEraser,
];
