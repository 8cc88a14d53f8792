// Formats times, durations, names and extracted facts for readers.
import { lazily } from "../../core/lazily.ts";
import type { SharedCall } from "../share-view.ts";
import { WORDS } from "./words.ts";

const DAY = { timeZone: "UTC", weekday: "long", day: "numeric", month: "long", year: "numeric" } as const;
const dateAndTimeFormat = lazily(
  () => new Intl.DateTimeFormat("en-GB", { ...DAY, hour: "2-digit", minute: "2-digit" }),
);
const dateFormat = lazily(() => new Intl.DateTimeFormat("en-GB", DAY));

export function dateAndTime(iso: string): string {
  return WORDS.utc(dateAndTimeFormat().format(new Date(iso)));
}

/** `2026-01-05` → `Monday 5 January 2026`. */
export function dateInWords(date: string): string {
  const at = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(at.getTime()) ? date : dateFormat().format(at);
}

/** `1 h 2 min`, `1 min 5 s`, `42 s`. */
export function lengthInWords(totalSeconds: number): string {
  const { hours, minutes, seconds } = parts(Math.round(totalSeconds));
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds} s` : `${seconds} s`;
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
export function speakerName(label: string, call: SharedCall["call"]): string {
  if (label === "agent") return call.agent_name ?? WORDS.agent;
  if (label === "user") return call.contact_name ?? WORDS.otherSide[call.call_direction];
  const number = /^speaker[_ -]?(\d+)$/i.exec(label)?.[1];
  return number === undefined ? label : WORDS.numberedSpeaker(number);
}

/** `preferred_time` → `Preferred time`. */
export function label(key: string): string {
  const words = key.replaceAll(/[_\s]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function value(noted: unknown): string {
  if (noted === null || noted === undefined || noted === "") return WORDS.unknown;
  if (noted === true) return WORDS.yes;
  if (noted === false) return WORDS.no;
  if (Array.isArray(noted)) return noted.length === 0 ? WORDS.unknown : noted.map(value).join(", ");
  if (typeof noted === "object") {
    return Object.entries(noted)
      .map(([key, inner]) => `${label(key)}: ${value(inner)}`)
      .join("; ");
  }
  return typeof noted === "string" ? noted : JSON.stringify(noted);
}

/** Null if it is not a language tag (BCP 47): integrators may have sent "Hindi". */
export function languageTag(language: string | null): string | null {
  return language !== null && /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(language) ? language : null;
}
