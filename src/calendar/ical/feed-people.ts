// Personal data in a feed: none unless the feed's setting allows it.
import { lazily } from "../../core/lazily.ts";
import type { Appointment, CalendarFeed } from "../records.ts";

/** Null if the feed shows nothing about the person. */
export function toldOf(people: CalendarFeed["people"], row: Pick<Appointment, "contact_name">): string | null {
  const name = row.contact_name?.trim() ?? "";
  if (people === "none" || name === "") return null;
  return people === "names" ? name : initialsOf(name);
}

/** Grapheme clusters: a vowel sign belongs to its consonant. */
const letters = lazily(() => new Intl.Segmenter(undefined, { granularity: "grapheme" }));

/** "Meera Iyer" → "M. I." */
export function initialsOf(name: string): string {
  return name
    .split(/\s+/)
    .flatMap((word) => letters().segment(word).containing(0)?.segment ?? [])
    .map((letter) => `${letter.toUpperCase()}.`)
    .join(" ");
}
