// Browser and system of a User-Agent header, in words that people know. Unknown ones are null: the header is the
// client's own and proves nothing.
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|HeadlessChrome|Chromium|CriOS)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows NT\b/, "Windows"],
  [/\bMacintosh\b/, "Mac"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** Safari, and every browser of iPhone and iPad, fetches sound by the system's player, which names itself alone. */
const APPLE_PLAYER = /^AppleCoreMedia\//;
const APPLE_SYSTEMS: readonly (string | null)[] = ["Mac", "iPhone", "iPad"];

/**
 * Whether a request may come from the browser that opened a session. An iPad's browser calls itself a Mac, and its
 * player does not.
 */
export function isSameBrowser(opened: string, present: string | null): boolean {
  const [before, now] = [browserOf(opened), browserOf(present)];
  if (present !== null && APPLE_PLAYER.test(present)) return APPLE_SYSTEMS.includes(before.system);
  return before.browser === now.browser && before.system === now.system;
}

export function browserOf(userAgent: string | null): { browser: string | null; system: string | null } {
  const nameIn = (table: typeof BROWSERS) =>
    userAgent === null ? null : (table.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null);
  return { browser: nameIn(BROWSERS), system: nameIn(SYSTEMS) };
}
