// Which room of src writes which table, read from the source: Kysely's builders and SQL as text.
import type { Sources } from "./source-rules.ts";
import { withoutComments } from "./source-rules.ts";

export interface Writes {
  /** Table → the files that write it. */
  files: ReadonlyMap<string, readonly string[]>;
  /** Writes whose table cannot be read from the source. */
  unreadable: readonly string[];
}

const BUILDER =
  /\.\s*(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\s*(?:<[^>]*>)?\(\s*(["'`]?)([^"'`),]*)/g;
const NAME = '["`\\[]?([A-Za-z_]+)["`\\]]?';
const RAW = new RegExp(
  `\\b(?:INSERT\\s+(?:OR\\s+[A-Z]+\\s+)?INTO|REPLACE\\s+INTO|DELETE\\s+FROM)\\s+${NAME}` +
    `|\\bUPDATE\\s+(?:OR\\s+[A-Z]+\\s+)?${NAME}\\s+SET\\b`,
  "gi",
);

/** Only the rooms of the tables that are known: what looks like SQL in a sentence names none of them. */
export function writesIn(sources: Sources, tables: ReadonlySet<string>): Writes {
  const files = new Map<string, string[]>();
  const unreadable: string[] = [];
  for (const [file, text] of sources) {
    const code = withoutComments(text);
    for (const [, quote = "", inner = ""] of code.matchAll(BUILDER)) {
      const table = inner.split(/\s+as\s+/i)[0]?.trim() ?? "";
      if (quote !== "" && tables.has(table)) note(files, table, file);
      else unreadable.push(`${file}: writes ${inner.trim() || "something"}, which is no table's name`);
    }
    for (const [, first, second] of code.matchAll(RAW)) {
      const table = (first ?? second ?? "").toLowerCase();
      if (tables.has(table)) note(files, table, file);
    }
  }
  return { files, unreadable };
}

export function roomsOf(files: readonly string[]): string[] {
  return [...new Set(files.map((file) => file.split("/")[0] ?? file))].toSorted();
}

function note(files: Map<string, string[]>, table: string, file: string): void {
  files.set(table, [...(files.get(table) ?? []), file]);
}
