// Substring search of names and numbers in SQLite's trigram index (contact_search, see migrations/0038_contacts.sql).

const LENGTH = 3;

/**
 * FTS5 query for all trigrams of `text`; null for a single letter. A match contains all trigrams, but may still lack
 * `text` itself. Two letters are expanded with every possible neighbour.
 */
export function trigramQuery(text: string): string | null {
  // FTS5 counts code points, not UTF-16 code units.
  const letters = Array.from(text);
  if (letters.length === LENGTH - 1) return pairQuery(text);
  const trigrams = new Set<string>();
  for (let at = 0; at + LENGTH <= letters.length; at++) trigrams.add(letters.slice(at, at + LENGTH).join(""));
  if (trigrams.size === 0) return null;
  return [...trigrams].map(quoted).join(" AND ");
}

const quoted = (trigram: string): string => `"${trigram.replaceAll('"', '""')}"`;

/** Unicode block size: letters of one script are in blocks of at least this size. */
const BLOCK = 128;

/**
 * Any trigram that contains the two letters. Neighbours are ASCII, Western European letters, or letters of the same
 * scripts. A pair between letters of another script is found only by three letters.
 */
function pairQuery(pair: string): string {
  const codes = new Set([...range(0x20, 0x7f), ...range(0xdf, 0x100)]);
  for (const letter of pair) {
    const code = letter.codePointAt(0) ?? 0;
    if (code >= BLOCK) for (const near of range(code - (code % BLOCK), code - (code % BLOCK) + BLOCK)) codes.add(near);
  }
  // The index is lower-case, and lower-cases queries.
  const neighbours = [...codes].map((code) => String.fromCodePoint(code)).filter((each) => each === each.toLowerCase());
  return neighbours.flatMap((each) => [quoted(each + pair), quoted(pair + each)]).join(" OR ");
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
