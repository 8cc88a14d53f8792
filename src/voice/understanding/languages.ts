// Languages that are understood, and the rules for each.
import { ENGLISH } from "./en/english.ts";
import { HINGLISH } from "./hinglish/hinglish.ts";
import type { Language } from "./language.ts";

/** Keyed by the primary subtag of BCP 47. */
const UNDERSTOOD: ReadonlyMap<string, readonly Language[]> = new Map([
  // Indian English contains Hindi words; elsewhere these words do not occur.
  ["en", [HINGLISH, ENGLISH]],
  ["hi", [HINGLISH, ENGLISH]],
]);

/** Falls back to English, which every recogniser supports. */
export function languagesOf(tag: string): readonly Language[] {
  const primary = tag.toLowerCase().split(/[-_]/, 1)[0] ?? "en";
  return UNDERSTOOD.get(primary) ?? UNDERSTOOD.get("en") ?? [];
}
