// Change counters of settings tables, for cache invalidation (memory.ts). The database's only server counts its own
// commits per table. Other Ringward processes, which are commands, report theirs by NOTIFY.
import { SECOND_MS, type Clock } from "../../core/clock.ts";
import type { TableStamps } from "../binding.ts";
import { tableWritten } from "../sqlite/table-changes.ts";

/** The watched tables. Values derived from others are not cached. */
const WATCHED = new Set(["agents", "api_keys", "branches", "organisations", "phone_numbers", "webhook_endpoints"]);

export const CHANNEL = "ringward_settings";

/** Changes made manually in SQL become visible after this time. */
const OLDEST_MS = 30 * SECOND_MS;

export class PostgresChanges implements TableStamps {
  readonly #counts = new Map<string, number>();
  #all = 0;
  #isListening = false;

  constructor(private readonly clock: Clock) {}

  /** NaN, which equals nothing, if the tables may change without notice. */
  stampOf(tables: readonly string[]): number {
    if (!this.#isListening) return Number.NaN;
    let stamp = this.#all + Math.floor(this.clock.elapsedMs() / OLDEST_MS);
    for (const table of tables) {
      if (!WATCHED.has(table)) return Number.NaN;
      stamp += this.#counts.get(table) ?? 0;
    }
    return stamp;
  }

  /** Whether other processes report their changes from now on. */
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

/** The watched table that a statement may have written; all of them if that cannot be determined. */
export function watchedIn(sql: string): readonly string[] {
  if (WRITES_NOTHING.test(sql)) return [];
  const table = tableWritten(sql);
  if (table === "") return [...WATCHED];
  return WATCHED.has(table) ? [table] : [];
}
