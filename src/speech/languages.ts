// Which of our languages somebody means: agents and calls name them as BCP 47 does, or as people write them.

export type Language = "en" | "hi";

const NAMES: readonly (readonly [RegExp, Language])[] = [
  [/^(?:en|eng|english)(?:[-_ (]|$)/i, "en"],
  [/^(?:hi|hin|hindi|हिन्दी|हिंदी)(?:[-_ (]|$)/iu, "hi"],
];

/** Null where it is none that we have words for. */
export function languageNamed(written: string): Language | null {
  const name = written.trim().normalize("NFC");
  return NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
