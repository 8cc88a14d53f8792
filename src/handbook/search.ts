// Full-text search over the sections of the handbook. Runs in the browser on an index that the build makes.

/** A section of a page. */
export interface Entry {
  page: string;
  title: string;
  heading: string;
  anchor: string;
  text: string;
}

export interface Hit {
  entry: Entry;
  /** Part of the text around the first word found. */
  excerpt: string;
}

const MOST_HITS = 20;
const MOST_WORDS = 8;
const EXCERPT_LENGTH = 160;
/** A match in a heading or title outranks any number of matches in the text. */
const HEADING_SCORE = 50;
const TITLE_SCORE = 20;
const MOST_TEXT_SCORE = 10;

export function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
}

/** Sections that contain every word of the query, best first. */
export function search(entries: readonly Entry[], query: string): Hit[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  return entries
    .flatMap((entry) => {
      const score = scoreOf(entry, words);
      return score === null ? [] : [{ entry, score }];
    })
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_HITS)
    .map(({ entry }) => ({ entry, excerpt: excerptOf(entry.text, words) }));
}

function scoreOf(entry: Entry, words: readonly string[]): number | null {
  const heading = entry.heading.toLowerCase();
  const title = entry.title.toLowerCase();
  const text = entry.text.toLowerCase();
  let score = 0;
  for (const word of words) {
    const found =
      (heading.includes(word) ? HEADING_SCORE : 0) +
      (title.includes(word) ? TITLE_SCORE : 0) +
      Math.min(text.split(word).length - 1, MOST_TEXT_SCORE);
    if (found === 0) return null;
    score += found;
  }
  return score;
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const at = words.map((word) => lower.indexOf(word)).filter((index) => index >= 0);
  const first = at.length === 0 ? 0 : Math.min(...at);
  // Cuts at word boundaries on both ends.
  const from = first < EXCERPT_LENGTH / 4 ? 0 : text.lastIndexOf(" ", first - EXCERPT_LENGTH / 4) + 1;
  const end = text.indexOf(" ", from + EXCERPT_LENGTH);
  const part = text.slice(from, end === -1 ? undefined : end);
  return `${from > 0 ? "… " : ""}${part}${end === -1 ? "" : " …"}`;
}
