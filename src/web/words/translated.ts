// What another language owes: every key of the English words, and no other.
import type { en } from "./en.ts";

export type Words = Translated<typeof en>;

/** The same shape with other texts. */
export type Translated<English> = English extends string
  ? string
  : English extends (...values: never[]) => unknown
    ? English
    : { [Key in keyof English]: Translated<English[Key]> };
