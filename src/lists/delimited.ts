// CSV reader (RFC 4180) for files from spreadsheets: commas, semicolons or tabs, any line ending, optional quotes.
import { isFormula } from "../core/formula.ts";
import { cutCell, listFault, LONGEST_CELL, RowCells, TableRows, type Table } from "./table.ts";

export type Delimiter = "," | ";" | "\t";
const DELIMITERS: readonly Delimiter[] = ["\t", ",", ";"];
/** Some spreadsheets name the delimiter in the first line. */
const SAID_OUTRIGHT = /^sep=([,;\t])\r?\n/i;
/** Lines searched for a delimiter. */
const LINES_LOOKED_AT = 20;

export function readDelimited(text: string, delimiter: Delimiter | "guess" = "guess"): Table {
  const said = SAID_OUTRIGHT.exec(text);
  const parting = said ? (said[1] as Delimiter) : delimiter === "guess" ? delimiterOf(text) : delimiter;
  const table = new TableRows();
  let at = said ? 1 : 0;
  let from = said ? said[0].length : 0;
  while (from < text.length) {
    at += 1;
    const record = recordAt(text, from, parting, at);
    if (record === null) throw listFault(`Row ${at} opens a quote (") that is never closed.`);
    table.add(at, record.cells);
    from = record.end;
  }
  return table.rows;
}

interface Cells {
  cells: readonly string[];
  /** Includes empty cells at the end. */
  count: number;
  /** Start of the next record. */
  end: number;
}

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** Null if a quote is never closed. */
function recordAt(text: string, from: number, delimiter: Delimiter, row: number): Cells | null {
  const record = new RowCells(row);
  const parting = delimiter.charCodeAt(0);
  let at = from;
  for (let column = 1; ; column++) {
    const isQuoted = text[at] === '"';
    const quoted = isQuoted ? quotedAt(text, at) : { value: "", end: at };
    if (quoted === null) return null;
    let end = quoted.end;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code === parting || code === LINE_FEED || code === CARRIAGE_RETURN) break;
    }
    // Text after a closing quote is appended to the cell; RFC 4180 does not allow it, and it is rare.
    const rest = text.slice(quoted.end, Math.min(end, quoted.end + LONGEST_CELL + 1));
    record.put(column, plain(cutCell(quoted.value + rest)));
    if (text[end] === delimiter) {
      at = end + 1;
      continue;
    }
    const next = text[end] === "\r" && text[end + 1] === "\n" ? end + 2 : end + 1;
    return { cells: record.cells, count: column, end: next };
  }
}

function quotedAt(text: string, from: number): { value: string; end: number } | null {
  let value = "";
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return null;
    const isEnd = text[quote + 1] !== '"';
    // Text beyond the limit is cut later, so it is not collected.
    if (value.length <= LONGEST_CELL)
      value += text.slice(at, Math.min(quote, at + LONGEST_CELL + 1)) + (isEnd ? "" : '"');
    if (isEnd) return { value, end: quote + 1 };
    at = quote + 2;
  }
}

/** Removes the apostrophe that keeps a spreadsheet from evaluating a formula; our own CSV export writes it too. */
function plain(cell: string): string {
  return cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell;
}

/** The delimiter with the most cells in the first line that has more than one. */
function delimiterOf(text: string): Delimiter {
  let from = 0;
  for (let line = 0; line < LINES_LOOKED_AT && from < text.length; line++) {
    const counted = DELIMITERS.map((delimiter) => ({ delimiter, record: recordAt(text, from, delimiter, line + 1) }));
    const [best] = counted.toSorted((a, b) => (b.record?.count ?? 0) - (a.record?.count ?? 0));
    if (best?.record && best.record.count > 1) return best.delimiter;
    const next = counted[0]?.record?.end;
    if (next === undefined) break;
    from = next;
  }
  return ",";
}
