// Type of a translation: every key of the English texts, and no other.
import type { en } from "./en.ts";

export type Words = Translated<typeof en>;

/** The same structure with other texts. */
export type Translated<English> = English extends string
  ? string
  : English extends (...values: never[]) => unknown
    ? English
    : { [Key in keyof English]: Translated<English[Key]> };
