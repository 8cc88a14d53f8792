// Language of the interface, and locale of dates and numbers. Both are fixed when the page loads; a change of language
// reloads the page.

/** localStorage key of the language that the signed-in person chose. Removed at sign-out. */
const KEPT_AS = "ringward-language";

let language = "en";
let country = "IN";

/** The first of `wanted` that is in `spoken`; `hi` and `hi-IN` match each other. English if none matches. */
export function bestOf(wanted: readonly string[], spoken: readonly string[]): string {
  const found = wanted.map((tag) => tag.split("-")[0]?.toLowerCase() ?? "").find((tag) => spoken.includes(tag));
  return found ?? "en";
}

/** The person's choice, then the preferences of the browser. */
export function wantedLanguages(): string[] {
  const chosen = "localStorage" in globalThis ? localStorage.getItem(KEPT_AS) : null;
  const asked = "document" in globalThis ? navigator.languages : [];
  return [...(chosen === null ? [] : [chosen]), ...asked];
}

export function speak(chosen: string): void {
  language = chosen;
}

export function spokenLanguage(): string {
  return language;
}

/** Returns whether the page must be reloaded. Null: use the preferences of the browser. */
export function keepLanguage(chosen: string | null, spoken: readonly string[]): boolean {
  if (chosen === null) localStorage.removeItem(KEPT_AS);
  else localStorage.setItem(KEPT_AS, chosen);
  return bestOf(wantedLanguages(), spoken) !== language;
}

/** Dates and numbers follow the organisation's country, derived from its time zone. */
export function writeAsIn(zone: string): void {
  country = /^(?:America|US)\/|^Pacific\/Honolulu$/.test(zone) ? "US" : "IN";
}

/** Locale for Intl: hi-IN, en-IN, en-US. */
export function locale(): string {
  return `${language}-${country}`;
}

/** Name of a language in that language: हिन्दी. */
export function ownName(tag: string): string {
  return new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
}
