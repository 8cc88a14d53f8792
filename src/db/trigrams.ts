// Parts of names and numbers in SQLite's index of trigrams (contact_search, see migrations/0038_contacts.sql).

const LENGTH = 3;

/**
 * Every three letters of `text`, as FTS5 is asked for them; null where it is too short to have any. A text that holds
 * them all may yet lack `text`.
 */
export function trigramQuery(text: string): string | null {
  // FTS5 counts characters, not the halves of those outside the first 65,536.
  const letters = Array.from(text);
  const trigrams = new Set<string>();
  for (let at = 0; at + LENGTH <= letters.length; at++) trigrams.add(letters.slice(at, at + LENGTH).join(""));
  if (trigrams.size === 0) return null;
  return [...trigrams].map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(" AND ");
}
