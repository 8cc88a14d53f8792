// Completing {{placeholders}} while they are typed: what is being typed, what would fit, and the text with it put in.

export interface Suggestion {
  name: string;
  meaning: string;
}

export interface OpenPlaceholder {
  /** Where its two braces begin. */
  start: number;
  typed: string;
}

const LONGEST_NAME = 64;
const MOST_SHOWN = 8;

/** The placeholder that is begun before the caret and not closed there yet. */
export function openPlaceholder(text: string, caret: number): OpenPlaceholder | null {
  const before = text.slice(Math.max(0, caret - LONGEST_NAME - 8), caret);
  const match = /\{\{ *([^{}\n]*)$/.exec(before);
  return match ? { start: caret - match[0].length, typed: (match[1] ?? "").trimEnd() } : null;
}

/** Names that begin with what was typed, then names with a word that does; the rest does not fit. */
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

/** What was typed of it is replaced, and so is a rest of it behind the caret, with its closing braces. */
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

/** Each name once, the first meaning counts. */
export function withoutDoubles(suggestions: readonly Suggestion[]): Suggestion[] {
  const names = new Set<string>();
  return suggestions.filter(({ name }) => name !== "" && !names.has(name) && names.add(name));
}
