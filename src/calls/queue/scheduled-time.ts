// Validation of scheduled_time: ISO 8601 with Z or an explicit offset, in the future, within the limit.
import { DAY_MS } from "../../core/clock.ts";
import { invalidField } from "../../core/errors.ts";
import { parseIsoTime } from "../../core/iso-time.ts";

const FIELD = "scheduled_time";

export function parseScheduledTime(text: string, now: number, maxDaysAhead: number): number {
  const instant = parseIsoTime(FIELD, text);
  if (instant <= now) throw invalidField(FIELD, `${FIELD} must lie in the future.`);
  if (instant > now + maxDaysAhead * DAY_MS)
    throw invalidField(FIELD, `${FIELD} must be at most ${maxDaysAhead} days ahead.`);
  return instant;
}
