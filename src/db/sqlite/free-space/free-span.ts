// Where a page of the database is unused, and whether something was left there. secure_delete overwrites a deleted row
// where it lies, but when SQLite rebuilds a page and moves a row to its neighbour, the old copy stays behind in the
// page's free space (seen for 1 erased call in 400).

export interface Span {
  start: number;
  length: number;
}

/** From here on a page number may have a first byte other than 0, and pages could no longer be told apart. */
export const LARGEST_FILE_BYTES = 2 ** 24 * 4096;

const LARGEST_PAGE_BYTES = 65_536;
const ZEROS = Buffer.alloc(LARGEST_PAGE_BYTES);

/**
 * https://sqlite.org/fileformat2.html, section 1.6: between the cell pointers and the first cell. Null for a page that
 * is no b-tree page: the others begin with a page number, whose first byte stays 0 in a file of less than 64 GiB. Pages
 * count from 1.
 */
export function freeSpanOf(page: Buffer, pageNumber: number): Span | null {
  return spanAt({ bytes: page, at: 0, pageBytes: page.length }, pageNumber);
}

/** A page among other bytes: to cut each one out takes as long as to look at it. */
export interface PageAt {
  bytes: Buffer;
  at: number;
  pageBytes: number;
}

/** Counted from the beginning of the page. */
function spanAt({ bytes, at, pageBytes }: PageAt, pageNumber: number): Span | null {
  const header = pageNumber === 1 ? 100 : 0;
  const kind = bytes[at + header];
  const isInterior = kind === 2 || kind === 5;
  if (!isInterior && kind !== 10 && kind !== 13) return null;
  const cells = bytes.readUInt16BE(at + header + 3);
  // 0 stands for 65,536.
  const firstCell = bytes.readUInt16BE(at + header + 5) || LARGEST_PAGE_BYTES;
  const start = header + (isInterior ? 12 : 8) + 2 * cells;
  if (firstCell > pageBytes || start >= firstCell) return null;
  return { start, length: firstCell - start };
}

export function hasLeftovers(page: PageAt, pageNumber: number): boolean {
  const span = spanAt(page, pageNumber);
  if (!span) return false;
  const start = page.at + span.start;
  return ZEROS.compare(page.bytes, start, start + span.length, 0, span.length) !== 0;
}

/** The free space of a page where anything but zeros is in it. */
export function leftoversIn(page: Buffer, pageNumber: number): Span | null {
  return hasLeftovers({ bytes: page, at: 0, pageBytes: page.length }, pageNumber) ? freeSpanOf(page, pageNumber) : null;
}

export function zerosFor({ length }: Span): Buffer {
  return ZEROS.subarray(0, length);
}
