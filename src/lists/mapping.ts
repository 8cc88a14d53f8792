// Maps columns to fields: guessed from headings and cells, correctable by the user.
import { likeness, meaningOf } from "./headings.ts";
import { looksLikeNumber } from "./complete-number.ts";
import { US_STATES } from "../core/area-codes.ts";
import { isTimeZone } from "../core/zones.ts";
import type { Table } from "./table.ts";

/** Columns count from 0. */
export interface Mapping {
  number: number | null;
  name: number | null;
  email: number | null;
  language: number | null;
  time_zone: number | null;
  region: number | null;
  /** Column of the identifiers of each system. */
  identifiers?: Readonly<Record<string, number>>;
  /** Column of each placeholder. */
  info: Readonly<Record<string, number>>;
}

/** Systems of identifiers that headings name; see headings.ts. */
export const LISTED_SYSTEMS = ["mrn", "abha", "abha_address"] as const;

/** Placeholders filled for every call; see calls/call/template-values.ts. */
const KNOWN_TO_EVERY_CALL = ["agent_name", "user_name", "contact_name"];
const ROWS_LOOKED_AT = 50;

/** Placeholders of the agent's texts that the list must fill. */
export function wantedOf(placeholders: readonly string[]): string[] {
  return placeholders.filter((name) => !KNOWN_TO_EVERY_CALL.includes(name));
}

/** `headings` is empty if the list has none; `rows` are the rows below. */
export function guessMapping(headings: readonly string[], rows: Table, wanted: readonly string[]): Mapping {
  const sample = rows.slice(0, ROWS_LOOKED_AT).map(({ cells }) => cells);
  const columns = Array.from({ length: widthOf(headings, rows) }, (_, index) => index);
  const share = (column: number, fits: (text: string) => boolean) =>
    sample.filter((cells) => fits(cells[column] ?? "")).length / Math.max(1, sample.length);
  const means = (column: number, meaning: string) => (meaningOf(headings[column] ?? "") === meaning ? 1 : 0);

  const number = best(columns, (column) => {
    const numbers = share(column, looksLikeNumber);
    return numbers >= 0.5 || means(column, "number") ? 2 * numbers + means(column, "number") : 0;
  });
  const others = columns.filter((column) => column !== number);
  const name = best(others, (column) =>
    headings.length > 0 ? likenessOf(headings, column, ["name", "patient name", "नाम"]) : share(column, isWords) - 0.5,
  );
  const info = wanted.flatMap((placeholder) => {
    const column = best(others, (candidate) => likeness(headings[candidate] ?? "", placeholder));
    return column === null ? [] : [[placeholder, column] as const];
  });
  const identifiers = LISTED_SYSTEMS.flatMap((system) => {
    const column = best(others, (candidate) => means(candidate, system));
    return column === null ? [] : [[system, column] as const];
  });
  return {
    number,
    name,
    email: best(others, (column) => means(column, "email")),
    language: best(others, (column) => means(column, "language")),
    // The cells decide too: in an Indian list "State" means another thing.
    time_zone: best(others, (column) => means(column, "time_zone") * share(column, isTimeZone)),
    region: best(
      others,
      (column) => means(column, "region") * share(column, (text) => US_STATES.includes(text.toUpperCase())),
    ),
    ...(identifiers.length > 0 && { identifiers: Object.fromEntries(identifiers) }),
    info: Object.fromEntries(info),
  };
}

export function widthOf(headings: readonly string[], rows: Table): number {
  return rows.reduce((widest, { cells }) => Math.max(widest, cells.length), headings.length);
}

/** Best similarity to any wanted word. Headings with another meaning, such as a doctor's name, do not match. */
function likenessOf(headings: readonly string[], column: number, wanted: readonly string[]): number {
  const heading = headings[column] ?? "";
  const meaning = meaningOf(heading);
  if (meaning !== null && meaning !== "name") return 0;
  return Math.max(...wanted.map((word) => likeness(heading, word)));
}

/** The first column with the best fit; null if none fits. */
function best(columns: readonly number[], fit: (column: number) => number): number | null {
  let found: number | null = null;
  let most = 0;
  for (const column of columns) {
    const value = fit(column);
    if (value <= most) continue;
    found = column;
    most = value;
  }
  return found;
}

const isWords = (text: string) => /^\p{L}[\p{L}\p{M}\s.'-]*$/u.test(text.trim());
