// Maps language names, BCP 47 tags or free text, to the supported languages.

export type Language = "en" | "hi";

/** Language of the notices on calls whose own language has no voice. */
export const NOTICES_IN: Language = "en";

const NAMES: readonly (readonly [RegExp, Language])[] = [
  [/^(?:en|eng|english)(?:[-_ (]|$)/i, "en"],
  [/^(?:hi|hin|hindi|हिन्दी|हिंदी)(?:[-_ (]|$)/iu, "hi"],
];

/** Null if the language is not supported. */
export function languageNamed(written: string): Language | null {
  const name = written.trim().normalize("NFC");
  return NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
