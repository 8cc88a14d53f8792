// Finds the columns of a list by their headings, so that an export may reorder its columns.
import { meaningOf } from "../../../lists/headings.ts";
import { listFault, type Table } from "../../../lists/table.ts";
import type { FolderSettings } from "../settings.ts";

/** Field → index of its column. */
export type ColumnsAt = Readonly<Record<string, number>>;

export interface FoundColumns {
  headings: readonly string[];
  rows: Table;
  at: ColumnsAt;
}

/** Throws if a mapped column is missing: the export has changed, and guessing would mix up its fields. */
export function columnsIn(table: Table, { columns, has_headings }: FolderSettings): FoundColumns {
  const isHeaded = has_headings !== false;
  const headings = isHeaded ? (table[0]?.cells ?? []) : [];
  const rows = isHeaded ? table.slice(1) : table;
  if (rows.length === 0) throw listFault("The list has headings and no rows.");
  const places = new Map(headings.map((heading, index) => [plain(heading), index] as const).toReversed());
  const at = Object.entries(columns ?? {}).map(([field, column]) => {
    const index = isHeaded ? places.get(plain(column)) : indexOfLetter(column);
    if (index === undefined)
      throw listFault(`The column "${column}" is missing. Map the columns again, or correct the export.`);
    return [field, index] as const;
  });
  return { headings, rows, at: Object.fromEntries(at) };
}

const plain = (heading: string) => heading.normalize("NFKC").replaceAll(/\s+/g, " ").trim().toLowerCase();

/** "AB" → 27; undefined if it is no letter of a column. */
function indexOfLetter(column: string): number | undefined {
  const letters = column.trim().toUpperCase();
  if (!/^[A-Z]{1,2}$/.test(letters)) return undefined;
  return Array.from(letters).reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Meaning of a heading → field of an appointment. */
const MEANINGS: Readonly<Record<string, string>> = {
  name: "name",
  number: "number",
  email: "email",
  branch: "branch",
  doctor: "practitioner",
  date: "date",
  time: "time",
  mrn: "mrn",
  abha: "abha",
  abha_address: "abha_address",
  language: "language",
};
/** Headings that only lists of appointments have, checked before the rest. */
const OWN: readonly (readonly [string, RegExp])[] = [
  ["external_id", /^(appointment|appt|booking|visit|encounter)[ _-]*(id|no|number|ref|code)\.?$|^(id|ref|reference)$/],
  ["changed_at", /^(changed|updated|modified|last[ _-]*(change|update|modified)).*/],
  ["status", /^(appointment |appt |booking )?(status|change|action|state)$/],
  ["ends_at", /^(end|end[ _-]*(time|at)|to|duration( \(?min.*)?|minutes)$/],
  ["practitioner_id", /^(doctor|dr|provider|consultant|practitioner)[ _-]*(id|code)$/],
  ["date", /^(appointment|appt|start|slot|visit)?[ _-]*(date|date ?time|start|starts[ _-]*at)$/],
  ["time", /^(appointment|appt|start|slot)[ _-]*time$|^from$/],
  ["notes", /^(note|notes|remark|remarks|comment|comments)$/],
];

/** A first guess for the person who maps the columns. Each field and each column once. */
export function guessColumns(headings: readonly string[], list: FolderSettings["list"]): Record<string, string> {
  const guess: Record<string, string> = {};
  for (const heading of headings) {
    const text = plain(heading);
    const own = list === "people" ? undefined : OWN.find(([, pattern]) => pattern.test(text))?.[0];
    const field = own ?? MEANINGS[meaningOf(heading) ?? ""];
    const fits = field !== undefined && (list === "people" ? OF_PERSON : OF_APPOINTMENT).has(field);
    if (text !== "" && fits && guess[field] === undefined) guess[field] = heading.trim().slice(0, 200);
  }
  return guess;
}

const OF_BOTH = ["name", "number", "email", "mrn", "abha", "abha_address"];
const OF_PERSON: ReadonlySet<string> = new Set([...OF_BOTH, "language"]);
const OF_APPOINTMENT: ReadonlySet<string> = new Set([
  ...OF_BOTH,
  ...OWN.map(([field]) => field),
  "branch",
  "practitioner",
]);
