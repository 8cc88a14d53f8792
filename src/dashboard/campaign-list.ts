// A checked list as the page shows it, and the rejected rows as CSV for correction.
import type { CheckedList } from "../lists/list-check.ts";
import { callRow, isCallable, type CheckedRow } from "../lists/checked-rows.ts";
import { isError, type RowFaultKind } from "../lists/row-faults.ts";
import { letterOf, listFault } from "../lists/table.ts";
import { csvLine } from "../core/csv-line.ts";

const EXAMPLES_SHOWN = 3;
const LONGEST_EXAMPLE = 60;
const FAULTS_SHOWN = 200;
const ROWS_SHOWN = 5;
/** The request that creates a campaign may have 8 MiB; the rest of it is small. */
const MOST_ROW_BYTES = 7.5 * 1024 * 1024;

export function listView(list: CheckedList) {
  const { rows } = list;
  const callable = callableOf(rows);
  const faulty = rows.filter((row) => !isCallable(row));
  const warned = rows.filter((row) => isCallable(row) && row.faults.length > 0);
  return {
    columns: Array.from({ length: list.width }, (_, index) => ({
      heading: list.headings[index]?.trim().slice(0, LONGEST_EXAMPLE) ?? "",
      letter: letterOf(index),
      examples: examplesOf(rows, index),
    })),
    has_headings: list.hasHeadings,
    country: list.country,
    placeholders: list.placeholders,
    mapping: list.mapping,
    row_count: rows.length,
    faulty_count: faulty.length,
    warned_count: warned.length,
    kinds: countedKinds(rows),
    faults: [...faulty, ...warned].slice(0, FAULTS_SHOWN).map((row) => faultView(row, list.mapping.number)),
    shown: callable.slice(0, ROWS_SHOWN),
    greeting: list.greeting,
    rows: callable,
  };
}
export type ListView = ReturnType<typeof listView>;

/** In the form that a campaign is created from. */
function callableOf(rows: readonly CheckedRow[]) {
  let bytes = 0;
  return rows.filter(isCallable).map((row) => {
    const made = callRow(row);
    bytes += Buffer.byteLength(JSON.stringify(made)) + 1;
    if (bytes > MOST_ROW_BYTES) throw listFault("The values of the list are too long for one campaign. Split it.");
    return made;
  });
}

function faultView(row: CheckedRow, numberColumn: number | null) {
  return {
    row: row.at,
    name: row.name?.slice(0, LONGEST_EXAMPLE) ?? null,
    /** As typed in the list. */
    number: (numberColumn === null ? "" : (row.cells[numberColumn] ?? "")).slice(0, LONGEST_EXAMPLE),
    is_error: row.faults.some(isError),
    messages: row.faults.map(({ message }) => message),
  };
}

function countedKinds(rows: readonly CheckedRow[]) {
  const counts = new Map<RowFaultKind, { is_error: boolean; count: number }>();
  for (const fault of rows.flatMap(({ faults }) => faults)) {
    const counted = counts.get(fault.kind) ?? { is_error: isError(fault), count: 0 };
    counts.set(fault.kind, { ...counted, count: counted.count + 1 });
  }
  return [...counts].map(([kind, counted]) => ({ kind, ...counted }));
}

function examplesOf(rows: readonly CheckedRow[], column: number): string[] {
  const examples: string[] = [];
  for (const { cells } of rows) {
    const text = cells[column]?.trim() ?? "";
    if (text !== "") examples.push(text.slice(0, LONGEST_EXAMPLE));
    if (examples.length === EXAMPLES_SHOWN) break;
  }
  return examples;
}

/** Rejected rows as uploaded, plus row number and reason. The corrected file can be uploaded again. */
export function faultyRowsCsv(list: CheckedList): string {
  const headings = Array.from({ length: list.width }, (_, index) => list.headings[index] ?? letterOf(index));
  const lines = list.rows
    .filter((row) => !isCallable(row))
    .map(({ at, cells, faults }) => {
      const reasons = faults.filter(isError).map(({ message }) => message);
      return csvLine([...headings.map((_, index) => cells[index] ?? ""), at, reasons.join(" ")]);
    });
  // Excel needs the byte order mark to read Hindi as UTF-8.
  return `\ufeff${csvLine([...headings, "Row", "Why it cannot be called"])}${lines.join("")}`;
}
