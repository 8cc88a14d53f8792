// What a feed tells of a person: nothing unless somebody chose it.
import { lazily } from "../../core/lazily.ts";
import type { Appointment, CalendarFeed } from "../records.ts";

/** Null where nothing is told. */
export function toldOf(people: CalendarFeed["people"], row: Pick<Appointment, "contact_name">): string | null {
  const name = row.contact_name?.trim() ?? "";
  if (people === "none" || name === "") return null;
  return people === "names" ? name : initialsOf(name);
}

/** Letters as people see them: a vowel sign belongs to its consonant. */
const letters = lazily(() => new Intl.Segmenter(undefined, { granularity: "grapheme" }));

/** "Meera Iyer" → "M. I." */
export function initialsOf(name: string): string {
  return name
    .split(/\s+/)
    .flatMap((word) => letters().segment(word).containing(0)?.segment ?? [])
    .map((letter) => `${letter.toUpperCase()}.`)
    .join(" ");
}
