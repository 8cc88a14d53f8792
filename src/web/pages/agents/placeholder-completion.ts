// Completion of {{placeholders}} while typing: the open placeholder, matching names, and the completed text.

export interface Suggestion {
  name: string;
  meaning: string;
}

export interface OpenPlaceholder {
  /** Position of its opening braces. */
  start: number;
  typed: string;
}

const LONGEST_NAME = 64;
const MOST_SHOWN = 8;

/** The placeholder that is open at the caret. */
export function openPlaceholder(text: string, caret: number): OpenPlaceholder | null {
  const before = text.slice(Math.max(0, caret - LONGEST_NAME - 8), caret);
  const match = /\{\{ *([^{}\n]*)$/.exec(before);
  return match ? { start: caret - match[0].length, typed: (match[1] ?? "").trimEnd() } : null;
}

/** Names that start with the typed text, then names with a word that does. Others do not match. */
export function suggestionsFor(typed: string, known: readonly Suggestion[]): Suggestion[] {
  const wanted = typed.toLowerCase();
  const begins = known.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const holds = known.filter(
    (one) =>
      !begins.includes(one) &&
      one.name
        .toLowerCase()
        .split(/[_\s-]/)
        .some((word) => word.startsWith(wanted)),
  );
  return [...begins, ...holds].slice(0, MOST_SHOWN);
}

/** Replaces the typed part of the placeholder and its rest behind the caret, with the closing braces. */
export function completed(
  text: string,
  { start }: OpenPlaceholder,
  caret: number,
  name: string,
): { text: string; caret: number } {
  const rest = /^[^{}\n]{0,64}\}\}/.exec(text.slice(caret))?.[0] ?? "";
  const placeholder = `{{${name}}}`;
  return {
    text: text.slice(0, start) + placeholder + text.slice(caret + rest.length),
    caret: start + placeholder.length,
  };
}

/** Each name once; the first meaning counts. */
export function withoutDoubles(suggestions: readonly Suggestion[]): Suggestion[] {
  const names = new Set<string>();
  return suggestions.filter(({ name }) => name !== "" && !names.has(name) && names.add(name));
}
