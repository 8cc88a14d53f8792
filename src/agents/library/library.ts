// Starting points of the library, in display order.
import { AppError } from "../../core/errors.ts";
import { afterDischarge } from "./after-discharge.ts";
import { closedDay } from "./closed-day.ts";
import { feedback } from "./feedback.ts";
import { noShow } from "./no-show.ts";
import { preVisit } from "./pre-visit.ts";
import { reminder } from "./reminder.ts";
import type { StartingPoint } from "./starting-point.ts";

export const LIBRARY: readonly StartingPoint[] = [reminder, preVisit, afterDischarge, feedback, noShow, closedDay];

export function startingPoint(id: string): StartingPoint {
  const found = LIBRARY.find((point) => point.id === id);
  if (found) return found;
  throw new AppError(
    "NOT_FOUND",
    `There is no such starting point. There are: ${LIBRARY.map((p) => p.id).join(", ")}.`,
  );
}
