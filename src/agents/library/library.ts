// Starting points of the library, in display order, in each language.
import { AppError } from "../../core/errors.ts";
import { afterDischarge } from "./after-discharge.ts";
import { closedDay } from "./closed-day.ts";
import { feedback } from "./feedback.ts";
import { HINDI } from "./hindi/hindi.ts";
import { noShow } from "./no-show.ts";
import { preVisit } from "./pre-visit.ts";
import { reminder } from "./reminder.ts";
import { inWords, type StartingPoint } from "./starting-point.ts";

export const LIBRARY: readonly StartingPoint[] = [reminder, preVisit, afterDischarge, feedback, noShow, closedDay];

export const LIBRARY_LANGUAGES = ["en", "hi"] as const;
export type LibraryLanguage = (typeof LIBRARY_LANGUAGES)[number];

const IN_HINDI = LIBRARY.map((point) => inWords(point, HINDI[point.id]));

/** The language of the library for a tag such as `hi-IN`; English if there is no other. */
export const libraryLanguage = (tag: string): LibraryLanguage => (/^hi\b/i.test(tag) ? "hi" : "en");

export function libraryIn(language: LibraryLanguage): readonly StartingPoint[] {
  return language === "hi" ? IN_HINDI : LIBRARY;
}

export function startingPoint(id: string, language: LibraryLanguage = "en"): StartingPoint {
  const found = libraryIn(language).find((point) => point.id === id);
  if (found) return found;
  throw new AppError(
    "NOT_FOUND",
    `There is no such starting point. There are: ${LIBRARY.map((p) => p.id).join(", ")}.`,
  );
}
