// Values of search parameters: what they mean, and whether a resource has them.
import { invalidField } from "../../core/errors.ts";
import { parseIsoTime } from "../../core/iso-time.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../core/clock.ts";
import { instantOf } from "../../core/zones.ts";
import type { SearchParam, Token } from "./kind.ts";

export interface SoughtToken {
  /** Undefined matches any system; an empty text matches only identifiers without a system. */
  system: string | undefined;
  code: string;
}

const PREFIXES = ["eq", "ne", "gt", "lt", "ge", "le", "sa", "eb", "ap"] as const;
type Prefix = (typeof PREFIXES)[number];

/** From `from`, before `to`, in milliseconds. */
export interface SoughtTime {
  prefix: Prefix;
  from: number;
  to: number;
}

/** Split at separators that are not escaped by a backslash. */
export function splitAt(text: string, separator: "," | "|"): string[] {
  const parts = [""];
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === "\\" && at + 1 < text.length) parts[parts.length - 1] += character + (text[++at] ?? "");
    else if (character === separator) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}

const unescaped = (text: string) => text.replaceAll(/\\([\\,$|])/g, "$1");

export function soughtToken(text: string): SoughtToken {
  const [first = "", ...rest] = splitAt(text, "|");
  return rest.length === 0
    ? { system: undefined, code: unescaped(first) }
    : { system: unescaped(first), code: unescaped(rest.join("|")) };
}

const hasToken = (token: Token, { system, code }: SoughtToken): boolean =>
  (system === undefined || (token.system ?? "") === system) && (code === "" || token.code === code);

/** `2026`, `2026-11`, `2026-11-20`, `2026-11-20T09:30` and longer. Without an offset it is in `zone`. */
export function soughtTime(name: string, text: string, zone: string): SoughtTime {
  const found = PREFIXES.find((each) => text.startsWith(each));
  const given = found === undefined ? text : text.slice(found.length);
  return { prefix: found ?? "eq", ...periodOf(name, given.replace(/ (?=\d\d:\d\d$)/, "+"), zone) };
}

const DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;
const TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2})?(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?$/;
const EARLIEST_YEAR = 1900;
const LATEST_YEAR = 2200;

function periodOf(name: string, text: string, zone: string): { from: number; to: number } {
  const [isDate, year = "", month, day] = DATE.exec(text) ?? [];
  if (isDate !== undefined) {
    const [first, after] = dayBounds(Number(year), month, day);
    if (Number(year) >= EARLIEST_YEAR && Number(year) <= LATEST_YEAR && isDay(first))
      return { from: instantOf(dateOf(first), 0, zone), to: instantOf(dateOf(after), 0, zone) };
  }
  const [isTime, minute = "", second, fraction, offset] = TIME.exec(text) ?? [];
  if (isTime !== undefined && Number(text.slice(0, 4)) >= EARLIEST_YEAR && Number(text.slice(0, 4)) <= LATEST_YEAR) {
    const from = parseIsoTime(name, minute + (second ?? ":00") + (fraction ?? "") + (offset ?? "Z"));
    const at = offset === undefined ? inZone(from, zone) : from;
    return { from: at, to: at + (fraction !== undefined ? 1 : second === undefined ? MINUTE_MS : SECOND_MS) };
  }
  throw invalidField(name, `${name} must be a date or time, such as ge2026-11-20 or 2026-11-20T09:30:00+05:30.`);
}

/** First day of the year, month or day, and the first day after it, as UTC. */
function dayBounds(year: number, month: string | undefined, day: string | undefined): [Date, Date] {
  const [m, d] = [Number(month ?? 1) - 1, Number(day ?? 1)];
  const first = new Date(Date.UTC(year, m, d));
  if (month !== undefined && first.getUTCMonth() !== m) return [new Date(NaN), first];
  if (day !== undefined) return [first, new Date(first.getTime() + DAY_MS)];
  return [first, month === undefined ? new Date(Date.UTC(year + 1, 0, 1)) : new Date(Date.UTC(year, m + 1, 1))];
}

const isDay = (date: Date) => !Number.isNaN(date.getTime());
const dateOf = (date: Date) => date.toISOString().slice(0, 10);

/** A wall time, given as if it were UTC. */
function inZone(wall: number, zone: string): number {
  const midnight = Math.floor(wall / DAY_MS) * DAY_MS;
  const minuteOfDay = Math.floor((wall - midnight) / MINUTE_MS);
  return instantOf(dateOf(new Date(midnight)), minuteOfDay, zone) + ((wall - midnight) % MINUTE_MS);
}

function isAt(time: number, { prefix, from, to }: SoughtTime): boolean {
  switch (prefix) {
    case "eq":
      return time >= from && time < to;
    case "ne":
      return time < from || time >= to;
    case "ge":
      return time >= from;
    case "gt":
    case "sa":
      return time >= to;
    case "le":
      return time < to;
    case "lt":
    case "eb":
      return time < from;
    case "ap":
      return time >= from - DAY_MS && time < to + DAY_MS;
  }
}

/** Case and accents do not count. */
const folded = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** `Location/x`, `x` or an absolute address of this server. */
export function soughtReference(text: string, targets: readonly string[], base: string): string[] {
  const reference = text.startsWith(`${base}/`) ? text.slice(base.length + 1) : text;
  return reference.includes("/") ? [reference] : targets.map((target) => `${target}/${reference}`);
}

/** Compiles one value of a parameter to a check of resources. Throws VALIDATION_ERROR. */
export function checkOf<R>(
  param: SearchParam<R>,
  text: string,
  { zone, base }: { zone: string; base: string },
): (resource: R) => boolean {
  if (text === "") throw invalidField(param.name, `${param.name} needs a value.`);
  switch (param.type) {
    case "token": {
      const { system, code } = soughtToken(text);
      const sought = { system, code: param.normalised?.(code) ?? code };
      return (resource) => param.of(resource).some((token) => token?.code !== undefined && hasToken(token, sought));
    }
    case "reference": {
      const sought = soughtReference(text, param.targets, base);
      return (resource) => param.of(resource).some((one) => one !== undefined && sought.includes(one));
    }
    case "date": {
      const sought = soughtTime(param.name, text, zone);
      return (resource) => param.of(resource).some((time) => time !== undefined && isAt(Date.parse(time), sought));
    }
    case "string": {
      const sought = folded(unescaped(text));
      return (resource) => param.of(resource).some((one) => one !== undefined && folded(one).startsWith(sought));
    }
  }
}
