// Change counters per table, for cache invalidation of data that is read often and rarely changes. They are exact: our
// own commits are counted per table, and SQLite reports commits of other processes. For followed tables, the rows
// changed by our commits are reported.
import { othersFirst } from "../../core/clock.ts";
import type { RowChanged, TableStamps, UnwrittenStamps } from "../binding.ts";

interface Written {
  table: string;
  rows: RowsWritten;
}

export class TableChanges implements TableStamps {
  readonly #commits = new Map<string, number>();
  /** Counts changes to any table: by another process, or by a statement whose table is unknown. */
  #elsewhere = 0;
  #fileVersion: number | undefined;
  #heldAt: number | undefined;
  /** Already checked in this turn of the event loop. */
  #isAsked = false;
  /** Written table by statement text: the same few are run repeatedly. */
  readonly #texts = new Map<string, Written>();
  /** Tables written by the current transaction. */
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
    // Earlier writes of the current transaction were not recorded.
    if (this.#touched.has(table)) followed.wrote("any", []);
  }

  /** A transaction has begun and sees every commit so far, also of other processes. */
  begun(): void {
    this.#isAsked = false;
  }

  /** For the current transaction, whose own writes no stamp counts. */
  readonly unwritten: UnwrittenStamps = (tables) =>
    this.#touched.has(UNKNOWN) || tables.some((table) => this.#touched.has(table)) ? undefined : this;

  /** The reader keeps its current snapshot, regardless of commits. */
  held(): void {
    this.#heldAt = this.fileVersion();
  }

  /** The reader sees every commit again. Reads in between may lack commits of other processes. */
  released(): void {
    if (this.#heldAt !== undefined && this.fileVersion() !== this.#heldAt) this.#elsewhere += 1;
    this.#heldAt = undefined;
  }

  /** Differs from before if one of these tables may have changed since. */
  stampOf(tables: readonly string[]): number {
    if (!this.#isAsked) this.#ask();
    let stamp = this.#elsewhere;
    for (const table of tables) stamp += this.#commits.get(table) ?? 0;
    return stamp;
  }

  /**
   * Once per turn is enough: a request that arrives after another process's commit is handled in a later turn. The
   * check takes 9 µs.
   */
  #ask(): void {
    this.#isAsked = true;
    void othersFirst().then(() => (this.#isAsked = false));
    const version = this.fileVersion();
    if (version !== this.#fileVersion) this.#elsewhere += 1;
    this.#fileVersion = version;
  }
}

/** Tracked rows per transaction. Beyond this number any row counts as changed. */
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
 * Which rows of its table a statement changes: only new ones, any, or the one whose id is the parameter with this
 * index.
 */
export type RowsWritten = "new" | "any" | number;

const INSERT = /^insert into "\w+" \(/i;
/**
 * A row selected by id, and possibly other columns. It contains no string literal, so every question mark is a
 * parameter.
 */
const ONE_ROW = /^(update "\w+" set [^']*|delete from "\w+") where "id" = \?(?: and "\w+" (?:=|is) (?:\?|null))*$/i;

export function rowsWritten(sql: string): RowsWritten {
  if (INSERT.test(sql)) return / on conflict /i.test(sql) ? "any" : "new";
  const beforeId = ONE_ROW.exec(sql)?.[1];
  return beforeId === undefined ? "any" : beforeId.split("?").length - 1;
}
