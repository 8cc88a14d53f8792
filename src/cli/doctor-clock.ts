// Doctor checks of the clock: behind the last time seen by the database, or doubted, which stops all calls.
import type { Config } from "../config/schema.ts";
import { DAY_MS, systemClock, toIso } from "../core/clock.ts";
import { clockVerdict } from "../core/trusted-time.ts";
import { storedClock, type StoredClock } from "../scheduler/clock-store.ts";
import { doubtWords } from "../scheduler/clock-words.ts";
import { timeFrom } from "../scheduler/stored-time.ts";
import { lookingAt } from "./database-look.ts";
import type { Finding } from "./doctor-checks.ts";

/** The last time seen is written once a minute, and may be slightly ahead of a clock corrected by NTP. */
const TOLERANCE_MS = 5_000;

/** A clock that is behind makes calls late. A clock that is ahead makes calls early and erases data too soon. */
export async function checkClock(config: Config): Promise<Finding> {
  const check = "clock";
  const now = systemClock.now();
  const known = await knownOf(config);
  if (known === null) return { check, state: "ok", message: toIso(now) };
  const { believedAt, lastSeenAt } = known;
  const uptime = systemClock.uptime?.() ?? null;
  const elapsedMs = uptime?.ms ?? systemClock.elapsedMs();
  const verdict = clockVerdict(timeFrom(known, { wallMs: now, elapsedMs }, uptime));
  const ranAt = believedAt ?? lastSeenAt;
  if (ranAt !== null && now < ranAt - TOLERANCE_MS) {
    return {
      check,
      state: "FAIL",
      message: `It shows ${toIso(now)}, but this appliance ran at ${toIso(ranAt)}. Set it right (NTP).`,
    };
  }
  if (verdict.isDoubted) return { check, state: "warn", message: `It shows ${toIso(now)}. ${doubtWords(verdict)}` };
  if (ranAt !== null && now - ranAt > DAY_MS) {
    return {
      check,
      state: "warn",
      message:
        `It shows ${toIso(now)}, and the last run was at ${toIso(ranAt)}. If that is right, run "ringward clock confirm"; ` +
        "otherwise nothing is erased by age in the first day.",
    };
  }
  return { check, state: "ok", message: toIso(now) };
}

/** Null also if the database is unreadable: the database check reports that. */
async function knownOf(config: Config): Promise<(StoredClock & { lastSeenAt: number | null }) | null> {
  try {
    return await lookingAt(config, async (look) => {
      const { lastSeenAt } = await look.inspect();
      return lastSeenAt === null ? null : { lastSeenAt, ...(await storedClock(look.reader)) };
    });
  } catch {
    return null;
  }
}
