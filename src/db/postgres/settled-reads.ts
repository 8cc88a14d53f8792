// Answers of one transaction about settings, kept until it writes to their table. A SERIALIZABLE transaction sees one
// state of the database from its first statement on, so a question that is asked twice has the same answer: a group of
// reports asks eight times for one agent.
import { tableWritten } from "../sqlite/table-changes.ts";
import type { Answer } from "./wire.ts";

/** Tables that are read at every call and written seldom; no trigger writes to them. */
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
/**
 * The builder's own words have every name in quotation marks; where others are among them, none is told by its name.
 */
const TABLES_READ = /\b(?:from|join) ("(\w+)")?/gi;
const MOST_TEXTS = 500;
/** By the text of a statement. */
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
   * Anything else than a plain read or a write to another table begins anew: a savepoint, for one, may be rolled back
   * to.
   */
  wrote(sql: string): void {
    if (SELECT.test(sql)) return;
    const table = tableWritten(sql);
    if (table === "" || SETTINGS.has(table)) this.#answers.clear();
  }
}

/** Of each who asks: what one changes in a row is not seen by the next. */
const copied = ({ rows, ...rest }: Answer): Answer => ({ ...rest, rows: rows.map((row) => ({ ...(row as object) })) });
