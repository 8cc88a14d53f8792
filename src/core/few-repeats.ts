// Rate-limits repeated log lines: the first few of each kind per minute are written, the rest are counted and reported.
// Otherwise an outage would fill the disk with one message.
import { MINUTE_MS, SECOND_MS, type Clock } from "./clock.ts";
import type { LogFields, Logger, LogLevel } from "./logger.ts";

/** Lines of one kind per minute. */
const MOST_A_MINUTE = 5;
/** Fields may vary each time; beyond this number of kinds, a message is one kind regardless of its fields. */
const MOST_KINDS = 200;

interface Kind {
  level: LogLevel;
  message: string;
  place: LogFields;
  seen: number;
}

export interface LimitedLogger extends Logger {
  /** Reports the lines suppressed so far. Called before the process exits. */
  tellLeftOut(): void;
}

/** `clock`: its timers must not keep the process alive. */
export function limitRepeats(logger: Logger, clock: Clock): LimitedLogger {
  const kinds = new Map<string, Kind>();
  let sinceMs = 0;
  let cancel: (() => void) | null = null;

  function kindOf(level: LogLevel, message: string, fields: LogFields): Kind {
    const place = placeIn(fields);
    const key = JSON.stringify([level, message, place]);
    const known = kinds.get(key);
    if (known) return known;
    // Messages are constants, so only a few more kinds can follow.
    if (kinds.size >= MOST_KINDS && Object.keys(place).length > 0) return kindOf(level, message, {});
    const kind = { level, message, place, seen: 0 };
    kinds.set(key, kind);
    return kind;
  }

  function tellLeftOut(): void {
    cancel?.();
    cancel = null;
    const seen = [...kinds.values()];
    kinds.clear();
    const seconds = Math.round((clock.elapsedMs() - sinceMs) / SECOND_MS);
    for (const { level, message, place, seen: count } of seen) {
      if (count <= MOST_A_MINUTE) continue;
      const leftOut = count - MOST_A_MINUTE;
      logger[level]("Repeated log lines were suppressed.", { of: message, ...place, left_out: leftOut, seconds });
    }
  }

  function isWritten(level: LogLevel, message: string, fields: LogFields): boolean {
    const nowMs = clock.elapsedMs();
    if (nowMs - sinceMs >= MINUTE_MS) {
      tellLeftOut();
      sinceMs = nowMs;
    }
    const kind = kindOf(level, message, fields);
    kind.seen += 1;
    if (kind.seen <= MOST_A_MINUTE) return true;
    cancel ??= clock.after(sinceMs + MINUTE_MS - nowMs, tellLeftOut);
    return false;
  }

  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      if (isRecord(level, fields) || isWritten(level, message, fields)) logger[level](message, fields);
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error"), tellLeftOut };
}

/** Never limited: debug lines, and info lines about one call or request. */
const isRecord = (level: LogLevel, fields: LogFields): boolean =>
  level === "debug" || (level === "info" && (fields["request_id"] !== undefined || fields["call_id"] !== undefined));

/** Ids with few values. Every other id identifies a record. */
const PLACES = ["endpoint_id", "trunk_id"];

/** Where it happened and with which error, without the record concerned. */
function placeIn(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => typeof value === "string" && (PLACES.includes(name) || !name.endsWith("_id")),
    ),
  );
}
