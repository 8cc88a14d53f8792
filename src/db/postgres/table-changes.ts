// Which settings have changed, so that what every request asks for need not be read again (memory.ts). The one server
// of a database counts its own commits by table. Other processes of Ringward, which are commands beside it, tell theirs
// by NOTIFY.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { TableStamps } from "../binding.ts";
import { tableWritten } from "../sqlite/table-changes.ts";

/** The tables that are told of. What is worked out of others is not remembered. */
const WATCHED = new Set(["agents", "api_keys", "branches", "organisations", "phone_numbers", "webhook_endpoints"]);

export const CHANNEL = "ringward_settings";

/** What was changed by hand, in SQL, is seen after so long. */
const OLDEST_MS = 30 * SECOND_MS;

export class PostgresChanges implements TableStamps {
  readonly #counts = new Map<string, number>();
  #all = 0;
  #isListening = false;

  constructor(private readonly clock: Clock) {}

  /** NaN, which equals nothing, where they may change without our hearing of it. */
  stampOf(tables: readonly string[]): number {
    if (!this.#isListening) return Number.NaN;
    let stamp = this.#all + Math.floor(this.clock.elapsedMs() / OLDEST_MS);
    for (const table of tables) {
      if (!WATCHED.has(table)) return Number.NaN;
      stamp += this.#counts.get(table) ?? 0;
    }
    return stamp;
  }

  /** Whether another process tells of its changes from now on. */
  listening(isListening: boolean): void {
    this.#isListening = isListening;
    this.#all += 1;
  }

  changed(tables: Iterable<string>): void {
    for (const table of tables) this.#counts.set(table, (this.#counts.get(table) ?? 0) + 1);
  }

  changedElsewhere(): void {
    this.#all += 1;
  }
}

const WRITES_NOTHING = /^(?:select|savepoint|release|rollback)\b/i;

/** The watched table that a statement may have written; every one where that cannot be told. */
export function watchedIn(sql: string): readonly string[] {
  if (WRITES_NOTHING.test(sql)) return [];
  const table = tableWritten(sql);
  if (table === "") return [...WATCHED];
  return WATCHED.has(table) ? [table] : [];
}
