// Logger with JSON lines. The message is a constant string, the facts are fields, and neither contains a secret or
// personal data.
import { toIso, type Clock } from "./clock.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFields = Record<string, string | number | boolean | null | undefined>;

export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export function createLogger(
  clock: Clock,
  lowest: LogLevel,
  writeLine: (line: string, level: LogLevel) => void,
): Logger {
  const threshold = LOG_LEVELS.indexOf(lowest);
  const at = (level: LogLevel) => (message: string, fields?: LogFields) => {
    if (LOG_LEVELS.indexOf(level) < threshold) return;
    writeLine(logLine(clock, level, message, fields), level);
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

export function logLine(clock: Clock, level: LogLevel, message: string, fields: LogFields = {}): string {
  return JSON.stringify({ time: toIso(clock.now()), level, message, ...fields });
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
