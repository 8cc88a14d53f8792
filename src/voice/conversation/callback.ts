// Callback time derived from what the callee said.
import { DAY_MS } from "../../core/clock.ts";
import type { Moment } from "../understanding/meaning.ts";
import type { CallbackTime } from "./model.ts";

/** Defaults for "tomorrow" and "in the afternoon". */
const USUAL_TIMES = { morning: "10:00", afternoon: "15:00", evening: "18:00" } as const;
const USUAL_TIME = USUAL_TIMES.morning;

/** Null if neither day nor time was named, or two days conflict; the agent then asks. */
export function callbackFrom(moment: Moment | null, now: CallbackTime): CallbackTime | null {
  if (!moment || moment.conflict) return null;
  const startTime = moment.time ?? (moment.partOfDay ? USUAL_TIMES[moment.partOfDay] : moment.date && USUAL_TIME);
  if (!startTime) return null;
  const date = moment.date ?? (startTime > now.startTime ? now.date : dayAfter(now.date));
  // The time has already passed.
  return date === now.date && startTime <= now.startTime ? null : { date, startTime };
}

const dayAfter = (date: string): string =>
  new Date(Date.parse(`${date}T12:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
