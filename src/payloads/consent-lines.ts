// The lines of a list of consents: a CSV file whose heading names the columns. Shared by the dashboard and the CLI.

/** Most lines of a file; a larger list is split. */
export const MOST_CONSENT_LINES = 100_000;
export const MOST_CONSENT_BYTES = 20_000_000;
/** Lines per request. */
export const CONSENT_LINES_AT_ONCE = 500;
/** Longest cell that is sent on; every valid value is shorter. */
export const LONGEST_CONSENT_CELL = 250;

/** As written. An empty purpose or basis means that of the whole list. */
export interface ConsentLine {
  /** Line of the file, from 1. */
  line: number;
  number: string;
  purpose: string;
  basis: string;
  granted_on: string;
  until: string;
  reference: string;
  /** Only `active` is a consent; an export has other states too. */
  status: string;
}

/** Null: the heading has no column of numbers. */
export function consentLines(file: string): ConsentLine[] | null {
  const [heading = "", ...rows] = file.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const delimiter = delimiterOf(heading);
  const titles = cellsOf(heading, delimiter).map((title) => title.toLowerCase().replaceAll(/[\s-]+/g, "_"));
  const placeOf = (...names: string[]) => titles.findIndex((title) => names.includes(title));
  const places = {
    number: placeOf("contact_number", "number", "phone", "phone_number", "mobile"),
    purpose: placeOf("purpose"),
    basis: placeOf("basis"),
    granted_on: placeOf("granted_on", "granted_at", "date"),
    until: placeOf("until"),
    reference: placeOf("reference"),
    status: placeOf("status"),
  };
  if (places.number === -1) return null;
  return rows.flatMap((row, index) => {
    if (row.trim() === "") return [];
    const cells = cellsOf(row, delimiter);
    const at = (place: number) => (cells[place] ?? "").slice(0, LONGEST_CONSENT_CELL);
    return {
      line: index + 2,
      number: at(places.number),
      purpose: at(places.purpose),
      basis: at(places.basis),
      granted_on: at(places.granted_on),
      until: at(places.until),
      reference: at(places.reference),
      status: at(places.status),
    };
  });
}

const delimiterOf = (heading: string): string =>
  [",", ";", "\t"].toSorted((a, b) => heading.split(b).length - heading.split(a).length)[0] ?? ",";

/** Cells of one line (RFC 4180). A quote that is never closed ends with the line. */
function cellsOf(row: string, delimiter: string): string[] {
  const cells: string[] = [];
  for (let from = 0; from <= row.length;) {
    const isQuoted = row[from] === '"';
    const close = isQuoted ? closingQuote(row, from + 1) : from;
    const next = row.indexOf(delimiter, close);
    const end = next === -1 ? row.length : next;
    const cell = isQuoted ? row.slice(from + 1, close).replaceAll('""', '"') : row.slice(from, end);
    // An apostrophe keeps a spreadsheet from evaluating the cell; our own export writes it too.
    cells.push(cell.trim().replace(/^'(?=[=+\-@])/, ""));
    from = end + 1;
  }
  return cells;
}

function closingQuote(row: string, from: number): number {
  for (let at = from; ; at += 2) {
    at = row.indexOf('"', at);
    if (at === -1) return row.length;
    if (row[at + 1] !== '"') return at;
  }
}
