// Which tables have changed, so that what is asked for often and changes rarely need not be read again. It is exact: our own
// commits are counted by table, and SQLite tells of everybody else's.
import { othersFirst } from "../../core/clock.ts";

export class TableChanges {
  readonly #commits = new Map<string, number>();
  /** Of everything: another process, or a statement whose table we cannot tell. */
  #elsewhere = 0;
  #fileVersion: number | undefined;
  /** Asked in this turn of the event loop. */
  #isAsked = false;
  /** Which table a statement writes to, by its text: the same few are run again and again. */
  readonly #tables = new Map<string, string>();
  /** By the transaction under way. */
  readonly #touched = new Set<string>();

  /** `fileVersion` changes with every commit of another process; see PRAGMA data_version. */
  constructor(private readonly fileVersion: () => number) {}

  wrote(sql: string): void {
    let table = this.#tables.get(sql);
    if (table === undefined) {
      table = tableWritten(sql);
      if (this.#tables.size >= MOST_TEXTS) this.#tables.clear();
      this.#tables.set(sql, table);
    }
    this.#touched.add(table);
  }

  committed(): void {
    for (const table of this.#touched) this.#commits.set(table, (this.#commits.get(table) ?? 0) + 1);
    if (this.#touched.has(UNKNOWN)) this.#elsewhere += 1;
    this.#touched.clear();
  }

  rolledBack(): void {
    this.#touched.clear();
  }

  /** Another one than before where one of these tables may have changed since. */
  stampOf(tables: readonly string[]): number {
    if (!this.#isAsked) this.#ask();
    let stamp = this.#elsewhere;
    for (const table of tables) stamp += this.#commits.get(table) ?? 0;
    return stamp;
  }

  /** Once a turn is enough: a request that came after somebody else's commit is read in a later one. Asking takes 9 µs. */
  #ask(): void {
    this.#isAsked = true;
    void othersFirst().then(() => (this.#isAsked = false));
    const version = this.fileVersion();
    if (version !== this.#fileVersion) this.#elsewhere += 1;
    this.#fileVersion = version;
  }
}

const UNKNOWN = "";
const MOST_TEXTS = 500;

export function tableWritten(sql: string): string {
  const match = /^\s*(?:insert(?: or \w+)? into|replace into|update(?: or \w+)?|delete from) "?(\w+)"?/i.exec(sql);
  return match?.[1]?.toLowerCase() ?? UNKNOWN;
}
