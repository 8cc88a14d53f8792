// Which tables have changed, so that what is asked for often and changes rarely need not be read again. It is exact:
// our own commits are counted by table, and SQLite tells of everybody else's. Of tables that are followed, the rows
// that a commit of ours changed are told.
import { othersFirst } from "../../core/clock.ts";
import type { RowChanged, TableStamps } from "../binding.ts";

interface Written {
  table: string;
  rows: RowsWritten;
}

export class TableChanges implements TableStamps {
  readonly #commits = new Map<string, number>();
  /** Of everything: another process, or a statement whose table we cannot tell. */
  #elsewhere = 0;
  #fileVersion: number | undefined;
  #heldAt: number | undefined;
  /** Asked in this turn of the event loop. */
  #isAsked = false;
  /** What a statement writes to, by its text: the same few are run again and again. */
  readonly #texts = new Map<string, Written>();
  /** By the transaction under way. */
  readonly #touched = new Set<string>();
  readonly #followed = new Map<string, FollowedTable>();

  /** `fileVersion` changes with every commit of another process; see PRAGMA data_version. */
  constructor(private readonly fileVersion: () => number) {}

  wrote(sql: string, parameters: readonly unknown[] = []): void {
    const { table, rows } = this.#writtenBy(sql);
    this.#touched.add(table);
    this.#followed.get(table)?.wrote(rows, parameters);
  }

  #writtenBy(sql: string): Written {
    const known = this.#texts.get(sql);
    if (known) return known;
    const written = { table: tableWritten(sql), rows: rowsWritten(sql) };
    if (this.#texts.size >= MOST_TEXTS) this.#texts.clear();
    this.#texts.set(sql, written);
    return written;
  }

  committed(): void {
    for (const table of this.#touched) this.#commits.set(table, (this.#commits.get(table) ?? 0) + 1);
    if (this.#touched.has(UNKNOWN)) this.#elsewhere += 1;
    for (const table of this.#touched) this.#followed.get(table)?.committed();
    this.#touched.clear();
  }

  rolledBack(): void {
    this.#touched.clear();
    for (const table of this.#followed.values()) table.rolledBack();
  }

  followRows(table: string, changed: RowChanged): void {
    const followed = this.#followed.get(table) ?? new FollowedTable();
    this.#followed.set(table, followed);
    followed.followers.push(changed);
    // What the transaction under way has written by now was not noted.
    if (this.#touched.has(table)) followed.wrote("any", []);
  }

  /** The reader stays at what it sees now, whatever is committed. */
  held(): void {
    this.#heldAt = this.fileVersion();
  }

  /** It sees every commit again. What was read meanwhile may lack what another process committed meanwhile. */
  released(): void {
    if (this.#heldAt !== undefined && this.fileVersion() !== this.#heldAt) this.#elsewhere += 1;
    this.#heldAt = undefined;
  }

  /** Another one than before where one of these tables may have changed since. */
  stampOf(tables: readonly string[]): number {
    if (!this.#isAsked) this.#ask();
    let stamp = this.#elsewhere;
    for (const table of tables) stamp += this.#commits.get(table) ?? 0;
    return stamp;
  }

  /**
   * Once a turn is enough: a request that came after somebody else's commit is read in a later one. Asking takes 9 µs.
   */
  #ask(): void {
    this.#isAsked = true;
    void othersFirst().then(() => (this.#isAsked = false));
    const version = this.fileVersion();
    if (version !== this.#fileVersion) this.#elsewhere += 1;
    this.#fileVersion = version;
  }
}

/** The rows that the transaction under way changes. Past so many it is any row. */
const MOST_ROWS = 1_000;

class FollowedTable {
  readonly followers: RowChanged[] = [];
  readonly #rows = new Set<string>();
  #isAnyRow = false;

  wrote(rows: RowsWritten, parameters: readonly unknown[]): void {
    if (rows === "new") return;
    const id = rows === "any" ? null : parameters[rows];
    if (typeof id !== "string" || this.#rows.size >= MOST_ROWS) this.#isAnyRow = true;
    else this.#rows.add(id);
  }

  committed(): void {
    const changed = this.#isAnyRow ? [null] : [...this.#rows];
    this.rolledBack();
    for (const id of changed) for (const follower of this.followers) follower(id);
  }

  rolledBack(): void {
    this.#rows.clear();
    this.#isAnyRow = false;
  }
}

const UNKNOWN = "";
const MOST_TEXTS = 500;

export function tableWritten(sql: string): string {
  const match = /^\s*(?:insert(?: or \w+)? into|replace into|update(?: or \w+)?|delete from) "?(\w+)"?/i.exec(sql);
  return match?.[1]?.toLowerCase() ?? UNKNOWN;
}

/**
 * Which rows of its table a statement changes: none that was there before, any, or the one whose id is this parameter.
 */
export type RowsWritten = "new" | "any" | number;

const INSERT = /^insert into "\w+" \(/i;
/** A row by its id, and by whatever else. No text stands in it, so that every question mark is a parameter. */
const ONE_ROW = /^(update "\w+" set [^']*|delete from "\w+") where "id" = \?(?: and "\w+" (?:=|is) (?:\?|null))*$/i;

export function rowsWritten(sql: string): RowsWritten {
  if (INSERT.test(sql)) return / on conflict /i.test(sql) ? "any" : "new";
  const beforeId = ONE_ROW.exec(sql)?.[1];
  return beforeId === undefined ? "any" : beforeId.split("?").length - 1;
}
