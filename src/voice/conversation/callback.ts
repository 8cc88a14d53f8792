// When somebody who has no time now is called again, from what they said.
import { DAY_MS } from "../../core/clock.ts";
import type { Moment } from "../understanding/meaning.ts";
import type { CallbackTime } from "./model.ts";

/** For "tomorrow" and "in the afternoon": when people usually have a moment. */
const USUAL_TIMES = { morning: "10:00", afternoon: "15:00", evening: "18:00" } as const;
const USUAL_TIME = USUAL_TIMES.morning;

/** Null where neither day nor time was said, or two days that do not agree: then they are asked. */
export function callbackFrom(moment: Moment | null, now: CallbackTime): CallbackTime | null {
  if (!moment || moment.conflict) return null;
  const startTime = moment.time ?? (moment.partOfDay ? USUAL_TIMES[moment.partOfDay] : moment.date && USUAL_TIME);
  if (!startTime) return null;
  const date = moment.date ?? (startTime > now.startTime ? now.date : dayAfter(now.date));
  // It is over already; nobody can be called then.
  return date === now.date && startTime <= now.startTime ? null : { date, startTime };
}

const dayAfter = (date: string): string =>
  new Date(Date.parse(`${date}T12:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
