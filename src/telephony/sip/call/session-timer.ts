// Session timers (RFC 4028): whoever was chosen refreshes at half time; a call that nobody refreshes is over.
import type { Clock } from "../../../core/clock.ts";
import { secondsIn } from "../message/header-fields.ts";
import type { HeaderList } from "../message/header-list.ts";
import { parseParameters } from "../message/uri.ts";

export interface SessionInterval {
  seconds: number;
  refresher: "uac" | "uas" | null;
}

/** RFC 4028, section 4: less would only make traffic. */
export const LEAST_SESSION_SECONDS = 90;

/**
 * What we ask for: after a crash of ours that no start follows, the trunk gives a call up within three minutes.
 * Refreshed at half time, most calls are over before the first refresh.
 */
export const WANTED_SESSION_SECONDS = 180;

export function sessionIntervalOf(headers: HeaderList): SessionInterval | null {
  const value = headers.get("session-expires");
  const seconds = secondsIn(value);
  if (value === undefined || seconds === null || seconds === 0) return null;
  const { refresher } = parseParameters(value.slice(value.includes(";") ? value.indexOf(";") : value.length)) as {
    refresher?: string;
  };
  return { seconds, refresher: refresher === "uac" || refresher === "uas" ? refresher : null };
}

export interface SessionTimer {
  /** After each success of an INVITE or UPDATE. Null: no timer from now on. */
  agree(interval: { seconds: number; weRefresh: boolean } | null): void;
  stop(): void;
}

export function createSessionTimer(clock: Clock, refresh: () => void, expired: () => void): SessionTimer {
  let cancel = () => {};
  return {
    agree(interval) {
      cancel();
      cancel = () => {};
      if (!interval) return;
      const { seconds, weRefresh } = interval;
      if (weRefresh) cancel = clock.after((seconds * 1_000) / 2, refresh);
      // Section 10: hang up a little before the end, by 32 s or a third, whichever is less.
      else cancel = clock.after((seconds - Math.min(32, seconds / 3)) * 1_000, expired);
    },
    stop: () => cancel(),
  };
}
