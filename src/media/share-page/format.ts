// Formats times, durations, names and extracted facts for readers.
import type { SharedCall } from "../share-view.ts";
import { ENGLISH_READER, type Reader } from "./reader.ts";

const DAY = { weekday: "long", day: "numeric", month: "long", year: "numeric" } as const;
const CLOCK = { hour: "2-digit", minute: "2-digit", hour12: false } as const;

/** In the hospital's zone, which is named. */
export function dateAndTime(iso: string, { locale, words, zone: timeZone }: Reader = ENGLISH_READER): string {
  const format = new Intl.DateTimeFormat(locale, { timeZone, ...DAY, ...CLOCK });
  return words.inZone(format.format(new Date(iso)), timeZone.replaceAll("_", " "));
}

/** `2026-01-05` → `Monday 5 January 2026`. */
export function dateInWords(date: string, { locale }: Reader = ENGLISH_READER): string {
  const at = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(at.getTime()) ? date : new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...DAY }).format(at);
}

/** `1 h 2 min`, `1 min 5 s`, `42 s`. */
export function lengthInWords(totalSeconds: number, { words }: Reader = ENGLISH_READER): string {
  const { h, min, s } = words.lengths;
  const { hours, minutes, seconds } = parts(Math.round(totalSeconds));
  if (hours > 0) return `${hours} ${h} ${minutes} ${min}`;
  return minutes > 0 ? `${minutes} ${min} ${seconds} ${s}` : `${seconds} ${s}`;
}

/** `1:05`, `1:02:03`: the position of a line in the recording. */
export function position(totalSeconds: number): string {
  const { hours, minutes, seconds } = parts(Math.max(0, Math.floor(totalSeconds)));
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds)}` : `${minutes}:${twoDigits(seconds)}`;
}

function parts(whole: number) {
  return { hours: Math.floor(whole / 3600), minutes: Math.floor((whole % 3600) / 60), seconds: whole % 60 };
}

/** `agent` and `user` by name if known; a raw label such as `speaker_2` in readable form. */
export function speakerName(label: string, call: SharedCall["call"], { words }: Reader = ENGLISH_READER): string {
  if (label === "agent") return call.agent_name ?? words.agent;
  if (label === "user") return call.contact_name ?? words.otherSide[call.call_direction];
  const number = /^speaker[_ -]?(\d+)$/i.exec(label)?.[1];
  return number === undefined ? label : words.numberedSpeaker(number);
}

/** `preferred_time` → `Preferred time`. */
export function label(key: string): string {
  const words = key.replaceAll(/[_\s]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function value(noted: unknown, reader: Reader = ENGLISH_READER): string {
  const { unknown, yes, no } = reader.words;
  if (noted === null || noted === undefined || noted === "") return unknown;
  if (noted === true) return yes;
  if (noted === false) return no;
  if (Array.isArray(noted)) return noted.length === 0 ? unknown : noted.map((each) => value(each, reader)).join(", ");
  if (typeof noted === "object") {
    return Object.entries(noted)
      .map(([key, inner]) => `${label(key)}: ${value(inner, reader)}`)
      .join("; ");
  }
  return typeof noted === "string" ? noted : JSON.stringify(noted);
}

/** Null if it is not a language tag (BCP 47): integrators may have sent "Hindi". */
export function languageTag(language: string | null): string | null {
  return language !== null && /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(language) ? language : null;
}
