// CSV (RFC 4180) as spreadsheets write it: commas, semicolons or tabs, any line ends, quotes where they are needed.
import { isFormula } from "../../core/formula.ts";
import { addRow, listFault, ROWS_A_STEP, type InSteps, type Table, type TableRow } from "./table.ts";

export type Delimiter = "," | ";" | "\t";
const DELIMITERS: readonly Delimiter[] = ["\t", ",", ";"];
/** Some spreadsheets say in the first line what parts the cells. */
const SAID_OUTRIGHT = /^sep=([,;\t])\r?\n/i;
/** In so many lines a delimiter is looked for. */
const LINES_LOOKED_AT = 20;

export function* readDelimited(text: string, delimiter: Delimiter | "guess" = "guess"): InSteps<Table> {
  const said = SAID_OUTRIGHT.exec(text);
  const parting = said ? (said[1] as Delimiter) : delimiter === "guess" ? delimiterOf(text) : delimiter;
  const rows: TableRow[] = [];
  let at = said ? 1 : 0;
  let from = said ? said[0].length : 0;
  while (from < text.length) {
    const record = recordAt(text, from, parting);
    at += 1;
    if (record === null) throw listFault(`Row ${at} opens a quote (") that is never closed.`);
    addRow(rows, at, record.cells);
    from = record.end;
    if (at % ROWS_A_STEP === 0) yield;
  }
  return rows;
}

interface Cells {
  cells: string[];
  /** Where the next record begins. */
  end: number;
}

/** Null where a quote is never closed. */
function recordAt(text: string, from: number, delimiter: string): Cells | null {
  const cells: string[] = [];
  let at = from;
  for (;;) {
    const isQuoted = text[at] === '"';
    const quoted = isQuoted ? quotedAt(text, at) : { value: "", end: at };
    if (quoted === null) return null;
    let end = quoted.end;
    while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end++;
    // What follows a closing quote belongs to the cell, too; so few files have it that nobody agrees on it.
    cells.push(plain(quoted.value + text.slice(quoted.end, end)));
    if (text[end] === delimiter) {
      at = end + 1;
      continue;
    }
    return { cells, end: text[end] === "\r" && text[end + 1] === "\n" ? end + 2 : end + 1 };
  }
}

function quotedAt(text: string, from: number): { value: string; end: number } | null {
  let value = "";
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return null;
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    at = quote + 2;
  }
}

/** An apostrophe before a formula is there to keep the spreadsheet from reckoning; our own CSV writes it, too. */
function plain(cell: string): string {
  return cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell;
}

/** The one that parts the first line the most; the first line of all that has any. */
function delimiterOf(text: string): Delimiter {
  let from = 0;
  for (let line = 0; line < LINES_LOOKED_AT && from < text.length; line++) {
    const counted = DELIMITERS.map((delimiter) => ({ delimiter, record: recordAt(text, from, delimiter) }));
    const [best] = counted.toSorted((a, b) => (b.record?.cells.length ?? 0) - (a.record?.cells.length ?? 0));
    if (best?.record && best.record.cells.length > 1) return best.delimiter;
    const next = counted[0]?.record?.end;
    if (next === undefined) break;
    from = next;
  }
  return ",";
}
