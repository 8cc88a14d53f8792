// Pages of the database file and of the WAL as SQLite sees them, whether they are encrypted or not.
import { pageCipher, type FileKey } from "../cipher.ts";
import { hasLeftovers, leftoversIn, zerosFor, type PageAt } from "./free-span.ts";

export interface Pages {
  hasLeftovers(page: PageAt, pageNumber: number): boolean;
  /** The page without its leftovers, as it belongs in the file; null if it has none. */
  cleaned(page: Buffer, pageNumber: number): Buffer | null;
}

const PLAIN: Pages = {
  hasLeftovers,
  cleaned(page, pageNumber) {
    const span = leftoversIn(page, pageNumber);
    if (!span) return null;
    zerosFor(span).copy(page, span.start);
    return page;
  },
};

export function pagesOf(key: FileKey): Pages {
  if (key === null) return PLAIN;
  const cipher = pageCipher(key);
  return {
    hasLeftovers({ bytes, at, pageBytes }, pageNumber) {
      return hasLeftovers({ bytes: cipher.open(bytes, at, pageNumber), at: 0, pageBytes }, pageNumber);
    },
    cleaned(page, pageNumber) {
      const clean = PLAIN.cleaned(cipher.open(page, 0, pageNumber), pageNumber);
      return clean && cipher.seal(clean, page, pageNumber);
    },
  };
}
