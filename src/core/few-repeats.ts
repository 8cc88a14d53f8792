// Rate-limits repeated log lines: of each kind the first few of a minute are written, the rest is counted and told. An
// outage would otherwise fill the disk with one sentence.
import { MINUTE_MS, SECOND_MS, type Clock } from "./clock.ts";
import type { LogFields, Logger, LogLevel } from "./logger.ts";

/** Of one kind in a minute. */
const MOST_A_MINUTE = 5;
/** Faults may hold text that differs each time; past these a message is one kind whatever its fields. */
const MOST_KINDS = 200;

interface Kind {
  level: LogLevel;
  message: string;
  place: LogFields;
  seen: number;
}

export interface LimitedLogger extends Logger {
  /** Tells what was left out so far: before the process ends. */
  tellLeftOut(): void;
}

/** `clock`: one whose timers keep no process alive. */
export function limitRepeats(logger: Logger, clock: Clock): LimitedLogger {
  const kinds = new Map<string, Kind>();
  let sinceMs = 0;
  let cancel: (() => void) | null = null;

  function kindOf(level: LogLevel, message: string, fields: LogFields): Kind {
    const place = placeIn(fields);
    const key = JSON.stringify([level, message, place]);
    const known = kinds.get(key);
    if (known) return known;
    // Messages are constants, so there are few more of these.
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
      logger[level]("Repeated log lines were left out.", { of: message, ...place, left_out: leftOut, seconds });
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

/** What is asked for by level, and what tells of one call or request that all is well. */
const isRecord = (level: LogLevel, fields: LogFields): boolean =>
  level === "debug" || (level === "info" && (fields["request_id"] !== undefined || fields["call_id"] !== undefined));

/** Of these there are few. Every other id is of a record. */
const PLACES = ["endpoint_id", "trunk_id"];

/** Where it happened and with what fault, not to whom. */
function placeIn(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => typeof value === "string" && (PLACES.includes(name) || !name.endsWith("_id")),
    ),
  );
}
