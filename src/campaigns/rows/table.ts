// A list as it was handed over: rows of text, within bounds, whatever kind of file it came from.
import { AppError } from "../../core/errors.ts";

export interface TableRow {
  /** As the spreadsheet numbers it: from 1, empty rows counted. */
  at: number;
  /** None is missing in between; those at the end may be. */
  cells: readonly string[];
}
export type Table = readonly TableRow[];

export const MOST_ROWS = 10_000;
export const MOST_COLUMNS = 50;
export const MOST_LIST_BYTES = 10 * 1024 * 1024;

/** Long work in steps: whoever runs it may let others have their turn at each `yield`. */
export type InSteps<T> = Generator<undefined, T, undefined>;
/** So many rows between two steps: a few milliseconds of work. */
export const ROWS_A_STEP = 100;

/** What is wrong with the list as a whole, in words for whoever chose it. */
export function listFault(message: string): AppError {
  return new AppError("VALIDATION_ERROR", message, { details: [{ field: "list", message }] });
}

/** Adds a row if it says anything. Throws where the list is longer or wider than any may be. */
export function addRow(rows: TableRow[], at: number, cells: readonly string[]): void {
  let width = cells.length;
  while (width > 0 && isBlank(cells[width - 1] ?? "")) width--;
  if (width === 0) return;
  if (width > MOST_COLUMNS)
    throw listFault(`Row ${at} has more than ${MOST_COLUMNS} columns. Remove those that the calls do not need.`);
  // One more than rows, for the headings.
  if (rows.length > MOST_ROWS)
    throw listFault(
      `The list has more than ${MOST_ROWS.toLocaleString("en")} rows. Split it, and make a campaign of each part.`,
    );
  rows.push({ at, cells: cells.slice(0, width) });
}

export const isBlank = (text: string): boolean => text.trim() === "";

export function inOneGo<T>(work: InSteps<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
