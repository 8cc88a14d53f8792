// Cache of values computed from single rows of a table, by id, and from other tables that rarely change. A commit
// invalidates only the rows it changed; see sqlite/table-changes.ts. Without row-level change tracking, nothing is
// cached.
import { bindingOf, type TableStamps } from "./binding.ts";
import type { Executor, Tables } from "./tables.ts";

class Kept<Value> {
  readonly values = new Map<string, Value>();
  /** Stamp of the other tables and of changes by other processes. */
  stamp = Number.NaN;
  /** Counts invalidations: a read that started before one may be stale. */
  forgotten = 0;

  readonly forget = (id: string | null): void => {
    this.forgotten += 1;
    if (id === null) this.values.clear();
    else this.values.delete(id);
  };
}

export class RowMemory<Value extends object> {
  readonly #kept = new WeakMap<TableStamps, Kept<Value>>();

  /** `others`: all further tables that the values depend on. Beyond `most` the oldest entry is evicted. */
  constructor(
    private readonly table: keyof Tables,
    private readonly others: readonly (keyof Tables)[],
    private readonly most: number,
  ) {}

  /** Computes the value if it is not cached, and caches it if `isKept`. */
  async of(
    executor: Executor,
    id: string,
    work: () => Promise<Value | null>,
    isKept: (value: Value) => boolean,
  ): Promise<Value | null> {
    const { changes } = bindingOf(executor);
    const kept = changes && this.#fresh(changes);
    if (!kept) return work();
    const known = kept.values.get(id);
    if (known) return known;
    const { forgotten, stamp } = kept;
    const value = await work();
    if (value && isKept(value) && this.#fresh(changes) === kept && kept.forgotten === forgotten && kept.stamp === stamp)
      this.#keep(kept.values, id, value);
    return value;
  }

  /** Stale values are dropped immediately, because they may contain data of an erased person. */
  #fresh(changes: TableStamps): Kept<Value> | null {
    if (!changes.followRows) return null;
    let kept = this.#kept.get(changes);
    if (!kept) {
      kept = new Kept<Value>();
      this.#kept.set(changes, kept);
      changes.followRows(this.table, kept.forget);
    }
    const stamp = changes.stampOf(this.others);
    if (kept.stamp !== stamp) kept.forget(null);
    kept.stamp = stamp;
    return kept;
  }

  #keep(values: Map<string, Value>, id: string, value: Value): void {
    if (values.size >= this.most) {
      const [oldest] = values.keys();
      if (oldest !== undefined) values.delete(oldest);
    }
    values.set(id, value);
  }
}
