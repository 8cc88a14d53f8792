// Hindi words of all starting points.
import type { StartingPointId, StartingPointWords } from "../starting-point.ts";
import { afterDischarge } from "./after-discharge.ts";
import { closedDay } from "./closed-day.ts";
import { feedback } from "./feedback.ts";
import { noShow } from "./no-show.ts";
import { preVisit } from "./pre-visit.ts";
import { reminder } from "./reminder.ts";

export const HINDI: Readonly<Record<StartingPointId, StartingPointWords>> = {
  reminder,
  "pre-visit": preVisit,
  "after-discharge": afterDischarge,
  feedback,
  "no-show": noShow,
  "closed-day": closedDay,
};
