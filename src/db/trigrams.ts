// Parts of names and numbers in SQLite's index of trigrams (contact_search, see migrations/0038_contacts.sql).

const LENGTH = 3;

/**
 * Every three letters of `text`, as FTS5 is asked for them; null where it is a single letter. A text that holds them
 * all may yet lack `text`. Two letters are asked for by what may stand before or behind them.
 */
export function trigramQuery(text: string): string | null {
  // FTS5 counts characters, not the halves of those outside the first 65,536.
  const letters = Array.from(text);
  if (letters.length === LENGTH - 1) return pairQuery(text);
  const trigrams = new Set<string>();
  for (let at = 0; at + LENGTH <= letters.length; at++) trigrams.add(letters.slice(at, at + LENGTH).join(""));
  if (trigrams.size === 0) return null;
  return [...trigrams].map(quoted).join(" AND ");
}

const quoted = (trigram: string): string => `"${trigram.replaceAll('"', '""')}"`;

/** Of Unicode: letters of one script stand together in blocks of at least so many. */
const BLOCK = 128;

/**
 * Any trigram with the two letters in it. Their neighbours are of ASCII, of western European names or of the same
 * scripts as the letters themselves: who writes both letters between two of yet another script is not found by two
 * letters, only by three.
 */
function pairQuery(pair: string): string {
  const codes = new Set([...range(0x20, 0x7f), ...range(0xdf, 0x100)]);
  for (const letter of pair) {
    const code = letter.codePointAt(0) ?? 0;
    if (code >= BLOCK) for (const near of range(code - (code % BLOCK), code - (code % BLOCK) + BLOCK)) codes.add(near);
  }
  // The index holds small letters, and makes small ones of what it is asked for.
  const neighbours = [...codes].map((code) => String.fromCodePoint(code)).filter((each) => each === each.toLowerCase());
  return neighbours.flatMap((each) => [quoted(each + pair), quoted(pair + each)]).join(" OR ");
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
