// Cache of settings within one transaction, valid until it writes to their table. A SERIALIZABLE transaction sees one
// snapshot from its first statement on, so a repeated query has the same answer: a batch of reports reads one agent
// eight times.
import { tableWritten } from "../sqlite/table-changes.ts";
import type { Answer } from "./wire.ts";

/** Tables that are read at every call and rarely written; no trigger writes to them. */
const SETTINGS = new Set([
  "agent_model_servers",
  "agents",
  "branches",
  "model_servers",
  "organisations",
  "phone_numbers",
  "webhook_endpoints",
]);

const SELECT = /^select /i;
/** Kysely quotes every name; if a statement contains unquoted names, it is not cached. */
const TABLES_READ = /\b(?:from|join) ("(\w+)")?/gi;
const MOST_TEXTS = 500;
/** Keyed by statement text. */
const areSettings = new Map<string, boolean>();

function readsSettings(sql: string): boolean {
  const known = areSettings.get(sql);
  if (known !== undefined) return known;
  const tables = [...sql.matchAll(TABLES_READ)].map(([, , table = ""]) => table);
  const isSo = SELECT.test(sql) && tables.length > 0 && tables.every((table) => SETTINGS.has(table));
  if (areSettings.size >= MOST_TEXTS) areSettings.clear();
  areSettings.set(sql, isSo);
  return isSo;
}

export class SettledReads {
  readonly #answers = new Map<string, Promise<Answer>>();

  /** `ask` sends the statement. */
  of(sql: string, values: readonly unknown[], ask: () => Promise<Answer>): Promise<Answer> {
    if (!readsSettings(sql)) {
      this.wrote(sql);
      return ask();
    }
    const key = `${sql} ${JSON.stringify(values)}`;
    const known = this.#answers.get(key);
    if (known) return known.then(copied);
    const answer = ask();
    this.#answers.set(key, answer);
    return answer.then(copied);
  }

  /**
   * Only plain reads and writes to other tables keep the cache; anything else clears it, for example a savepoint, which
   * may be rolled back.
   */
  wrote(sql: string): void {
    if (SELECT.test(sql)) return;
    const table = tableWritten(sql);
    if (table === "" || SETTINGS.has(table)) this.#answers.clear();
  }
}

/** A copy per caller, so a modified row does not affect other callers. */
const copied = ({ rows, ...rest }: Answer): Answer => ({ ...rest, rows: rows.map((row) => ({ ...(row as object) })) });
