// Dates in a workbook: numbers whose style shows them as dates.
import { DAY_MS, MINUTE_MS } from "../core/clock.ts";
import { readXml } from "./xml.ts";

/** ECMA-376, 18.8.30: built-in date formats by number. */
const BUILT_IN_DATES = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47, ...range(27, 36), ...range(50, 58)]);
/** Day 0 of the 1900 date system, which treats 1900 as a leap year, and of the 1904 system of old Macs. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const DAY_ZERO_1904 = Date.UTC(1904, 0, 1);
/** The year 9999. */
const LAST_DAY = 2_958_466;

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Indexes of cell styles that show a number as a date. */
export function dateStylesOf(styles: string): Set<number> {
  const custom = new Set<number>();
  const found = new Set<number>();
  const xml = readXml(styles);
  let isInCellStyles = false;
  let position = 0;
  while (xml.next()) {
    if (xml.name === "cellXfs" && xml.kind !== "text") isInCellStyles = xml.kind === "open";
    if (xml.kind !== "open") continue;
    const format = Number(xml.attribute("numFmtId") ?? -1);
    if (xml.name === "numFmt" && isDateFormat(xml.attribute("formatCode") ?? "")) custom.add(format);
    if (xml.name !== "xf" || !isInCellStyles) continue;
    if (BUILT_IN_DATES.has(format) || custom.has(format)) found.add(position);
    position += 1;
  }
  return found;
}

/** Limit of spreadsheets. The patterns below take quadratic time at worst. */
const LONGEST_FORMAT = 255;

/** Whether letters of dates and times occur outside quotes and brackets. `[h]` is elapsed hours. */
function isDateFormat(code: string): boolean {
  const known = code.slice(0, LONGEST_FORMAT);
  const letters = known.replaceAll(/"[^"]*"|\\.|_.|\*./g, "").replaceAll(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, "");
  return /[ymdhs]/i.test(letters) && !/general/i.test(letters);
}

/** 2026-11-16, with the time if there is one; the time alone without a day. */
export function textOfDate(value: number, countsFrom1904: boolean): string {
  if (value < 0 || value >= LAST_DAY) return String(value);
  const minutes = Math.round((value * DAY_MS) / MINUTE_MS);
  const instant = new Date((countsFrom1904 ? DAY_ZERO_1904 : DAY_ZERO) + minutes * MINUTE_MS).toISOString();
  const [day, time] = [instant.slice(0, 10), instant.slice(11, 16)] as const;
  if (value < 1) return time;
  return Number.isInteger(value) ? day : `${day} ${time}`;
}
