// Where a page of the database is unused, and whether something was left there. secure_delete overwrites a deleted row where it
// lies, but when SQLite rebuilds a page and moves a row to its neighbour, the old copy stays behind in the page's free space
// (seen for 1 erased call in 400).

export interface Span {
  start: number;
  length: number;
}

/** From here on a page number may have a first byte other than 0, and pages could no longer be told apart. */
export const LARGEST_FILE_BYTES = 2 ** 24 * 4096;

const LARGEST_PAGE_BYTES = 65_536;
const ZEROS = Buffer.alloc(LARGEST_PAGE_BYTES);

/**
 * https://sqlite.org/fileformat2.html, section 1.6: between the cell pointers and the first cell. Null for a page that is no
 * b-tree page: the others begin with a page number, whose first byte stays 0 in a file of less than 64 GiB. Pages count from 1.
 */
export function freeSpanOf(page: Buffer, pageNumber: number): Span | null {
  const header = pageNumber === 1 ? 100 : 0;
  const kind = page.readUInt8(header);
  const isInterior = kind === 2 || kind === 5;
  if (!isInterior && kind !== 10 && kind !== 13) return null;
  const cells = page.readUInt16BE(header + 3);
  // 0 stands for 65,536.
  const firstCell = page.readUInt16BE(header + 5) || LARGEST_PAGE_BYTES;
  const start = header + (isInterior ? 12 : 8) + 2 * cells;
  if (firstCell > page.length || start >= firstCell) return null;
  return { start, length: firstCell - start };
}

/** The free space of a page where anything but zeros is in it. */
export function leftoversIn(page: Buffer, pageNumber: number): Span | null {
  const span = freeSpanOf(page, pageNumber);
  if (!span) return null;
  const { start, length } = span;
  return ZEROS.compare(page, start, start + length, 0, length) === 0 ? null : span;
}

export function zerosFor({ length }: Span): Buffer {
  return ZEROS.subarray(0, length);
}
