// Which languages are understood, and which words count beside an agent's own language.
import { ENGLISH } from "./en/english.ts";
import { HINGLISH } from "./hinglish/hinglish.ts";
import type { Language } from "./language.ts";

/** By the first part of the BCP 47 tag. */
const UNDERSTOOD: ReadonlyMap<string, readonly Language[]> = new Map([
  // Where English is spoken with Hindi in it, as in India; elsewhere nobody says these words.
  ["en", [HINGLISH, ENGLISH]],
  ["hi", [HINGLISH, ENGLISH]],
]);

/** What is not understood is read as English, the language that every recogniser has. */
export function languagesOf(tag: string): readonly Language[] {
  const primary = tag.toLowerCase().split(/[-_]/, 1)[0] ?? "en";
  return UNDERSTOOD.get(primary) ?? UNDERSTOOD.get("en") ?? [];
}
