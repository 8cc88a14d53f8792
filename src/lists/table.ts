// A list as rows of text, within limits, independent of the file format. The limits apply to the output, because a
// small archive can repeat one long text in every cell.
import { AppError } from "../core/errors.ts";

export interface TableRow {
  /** Row number as in the spreadsheet: from 1, including empty rows. */
  at: number;
  /** Gaps are filled with empty cells; empty cells at the end may be missing. */
  cells: readonly string[];
}
export type Table = readonly TableRow[];

export const MOST_ROWS = 10_000;
export const MOST_COLUMNS = 50;
export const MOST_LIST_BYTES = 10 * 1024 * 1024;
/** Per cell. A longer cell is cut one character beyond the limit, so that its row can be reported. */
export const LONGEST_CELL = 4_096;
/** All cells together: the most that a CSV file can contain. */
const MOST_CHARACTERS = MOST_LIST_BYTES;
/** Empty cells at the end of a row are dropped; no spreadsheet has more columns than this. */
const MOST_CELLS_OF_A_ROW = 16_384;

/** Error about the list as a whole, for the user. */
export function listFault(message: string): AppError {
  return new AppError("VALIDATION_ERROR", message, { details: [{ field: "list", message }] });
}

export const cutCell = (text: string): string => (text.length > LONGEST_CELL ? text.slice(0, LONGEST_CELL + 1) : text);

/** Cells of one row in order; throws if there are too many. */
export class RowCells {
  readonly #at: number;
  readonly cells: string[] = [];
  #seen = 0;

  constructor(at: number) {
    this.#at = at;
  }

  /** `column` counts from 1. */
  put(column: number, text: string): void {
    this.#seen += 1;
    const isOut = column > MOST_COLUMNS;
    if (this.#seen > MOST_CELLS_OF_A_ROW || (isOut && !isBlank(text)))
      throw listFault(
        `Row ${this.#at} has more than ${MOST_COLUMNS} columns. Remove those that the calls do not need.`,
      );
    if (isOut || text === "") return;
    while (this.cells.length < column) this.cells.push("");
    this.cells[column - 1] = text;
  }
}

/** Collects non-empty rows. Throws if the list exceeds a limit. */
export class TableRows {
  readonly rows: TableRow[] = [];
  #characters = 0;

  add(at: number, cells: readonly string[]): void {
    let width = cells.length;
    while (width > 0 && isBlank(cells[width - 1] ?? "")) width--;
    if (width === 0) return;
    // Allows one row more than MOST_ROWS, for the headings.
    if (this.rows.length > MOST_ROWS)
      throw listFault(
        `The list has more than ${MOST_ROWS.toLocaleString("en")} rows. Split it, and make a campaign of each part.`,
      );
    for (const cell of cells) this.#characters += cell.length;
    if (this.#characters > MOST_CHARACTERS)
      throw listFault("The cells of the list hold too much text. Split it, or remove the columns that are not needed.");
    this.rows.push({ at, cells: cells.slice(0, width) });
  }
}

export const isBlank = (text: string): boolean => text.trim() === "";

/** Letter of a column, as in a spreadsheet: 27 → AB */
export function letterOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last;
}
