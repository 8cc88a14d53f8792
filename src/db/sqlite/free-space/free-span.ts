// Unused space in a database page, and whether it contains leftovers. secure_delete overwrites a deleted row in place,
// but when SQLite rebuilds a page and moves a row to its neighbour, the old copy stays in the page's free space (seen
// for 1 erased call in 400).

export interface Span {
  start: number;
  length: number;
}

/**
 * Beyond this size a page number may have a first byte other than 0, and page types could no longer be distinguished.
 */
export const LARGEST_FILE_BYTES = 2 ** 24 * 4096;

const LARGEST_PAGE_BYTES = 65_536;
const ZEROS = Buffer.alloc(LARGEST_PAGE_BYTES);

/**
 * https://sqlite.org/fileformat2.html, section 1.6: between the cell pointers and the first cell. Null for a page that
 * is not a b-tree page: those begin with a page number, whose first byte is 0 in a file of less than 64 GiB. Pages
 * count from 1.
 */
export function freeSpanOf(page: Buffer, pageNumber: number): Span | null {
  return spanAt({ bytes: page, at: 0, pageBytes: page.length }, pageNumber);
}

/** A page inside a larger buffer: slicing each one takes as long as checking it. */
export interface PageAt {
  bytes: Buffer;
  at: number;
  pageBytes: number;
}

/** Relative to the start of the page. */
function spanAt({ bytes, at, pageBytes }: PageAt, pageNumber: number): Span | null {
  const header = pageNumber === 1 ? 100 : 0;
  const kind = bytes[at + header];
  const isInterior = kind === 2 || kind === 5;
  if (!isInterior && kind !== 10 && kind !== 13) return null;
  const cells = bytes.readUInt16BE(at + header + 3);
  // 0 means 65,536.
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

/** The free space of a page, if it contains anything but zeros. */
export function leftoversIn(page: Buffer, pageNumber: number): Span | null {
  return hasLeftovers({ bytes: page, at: 0, pageBytes: page.length }, pageNumber) ? freeSpanOf(page, pageNumber) : null;
}

export function zerosFor({ length }: Span): Buffer {
  return ZEROS.subarray(0, length);
}
