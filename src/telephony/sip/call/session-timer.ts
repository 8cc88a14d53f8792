// Session timer (RFC 4028): the refresher refreshes at half time; a call without a refresh is over.
import type { Clock } from "../../../core/clock.ts";
import { secondsIn } from "../message/header-fields.ts";
import type { HeaderList } from "../message/header-list.ts";
import { parseParameters } from "../message/uri.ts";

export interface SessionInterval {
  seconds: number;
  refresher: "uac" | "uas" | null;
}

/** RFC 4028, section 4: a shorter interval only causes traffic. */
export const LEAST_SESSION_SECONDS = 90;

/**
 * Requested interval: after a crash without a restart, the trunk ends a call within three minutes. With a refresh at
 * half time, most calls end before the first refresh.
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
  /** Called after each successful INVITE or UPDATE. Null: no timer from now on. */
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
      // Section 10: hangs up before the expiry, by 32 s or a third of the interval, whichever is less.
      else cancel = clock.after((seconds - Math.min(32, seconds / 3)) * 1_000, expired);
    },
    stop: () => cancel(),
  };
}
