// Which language the interface speaks, and how it writes dates and numbers. Chosen once, when the page is loaded:
// whoever changes the language loads the page again.

/** Where the browser keeps what the person signed in has chosen; gone when they sign out. */
const KEPT_AS = "ringward-language";

let language = "en";
let country = "IN";

/** The first of `wanted` that is `spoken`; `hi` and `hi-IN` mean the same. English where none is. */
export function bestOf(wanted: readonly string[], spoken: readonly string[]): string {
  const found = wanted.map((tag) => tag.split("-")[0]?.toLowerCase() ?? "").find((tag) => spoken.includes(tag));
  return found ?? "en";
}

/** What the person chose, then what the browser asks for. */
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

/** Answers whether the page has to be loaded again. Null: as the browser asks. */
export function keepLanguage(chosen: string | null, spoken: readonly string[]): boolean {
  if (chosen === null) localStorage.removeItem(KEPT_AS);
  else localStorage.setItem(KEPT_AS, chosen);
  return bestOf(wantedLanguages(), spoken) !== language;
}

/** Dates and numbers are written as in the organisation's country, which its time zone tells. */
export function writeAsIn(zone: string): void {
  country = /^(?:America|US)\/|^Pacific\/Honolulu$/.test(zone) ? "US" : "IN";
}

/** For Intl: hi-IN, en-IN, en-US. */
export function locale(): string {
  return `${language}-${country}`;
}

/** What a language calls itself: हिन्दी. */
export function ownName(tag: string): string {
  return new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
}
