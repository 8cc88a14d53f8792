// Erasers of a call, in order.
import { calendarEraser } from "../calendar/eraser.ts";
import { callsEraser } from "../calls/eraser.ts";
import { campaignsEraser } from "../campaigns/eraser.ts";
import type { Eraser } from "../db/eraser.ts";
import { personKeysEraser } from "../db/person-key-store.ts";
import { hl7Eraser } from "../exchange/hl7/eraser.ts";
import { receivedEraser } from "../demo/eraser.ts";
import { eventsEraser } from "../events/eraser.ts";
import { responsesEraser } from "../http/eraser.ts";
import { sharesEraser } from "../media/eraser.ts";
import { consentEraser, createRefusalKeeper } from "../rules/consent/eraser.ts";
import { createCalleeHash } from "../core/number-hash.ts";
import { registryEraser } from "../rules/registry/eraser.ts";
import { remindersEraser } from "../reminders/reminders.ts";
import { holdsEraser } from "../rules/holds/eraser.ts";
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
  consentEraser,
  registryEraser,
  eventsEraser,
  hl7Eraser,
  sharesEraser,
  worklistEraser,
  holdsEraser,
  personKeysEraser,
  callsEraser,
];

/** First what is kept of a person, because it is read from what the others erase. */
export const createErasers = (secrets: Parameters<typeof createCalleeHash>[0]): readonly Eraser[] => [
  createRefusalKeeper(createCalleeHash(secrets)),
  ...ERASERS,
];
