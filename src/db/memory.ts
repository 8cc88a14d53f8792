// Cache of values computed from some tables, invalidated when one of them changes; see sqlite/table-changes.ts. For
// values that are read often and change rarely. A transaction uses it for tables that it has not written, if it sees
// every commit; see UnwrittenStamps.
import { bindingOf, type TableStamps } from "./binding.ts";
import type { Executor, Tables } from "./tables.ts";

interface Kept<Value> {
  /** All values were computed while the tables had this stamp. */
  stamp: number;
  readonly values: Map<string, Value>;
}

export class Memory<Value> {
  readonly #kept = new WeakMap<TableStamps, Kept<Value>>();

  /** `tables` lists every source of the values. Beyond `most` entries the cache is cleared. */
  constructor(
    private readonly tables: readonly (keyof Tables)[],
    private readonly most: number,
  ) {}

  known(executor: Executor, key: string): Value | undefined {
    const changes = this.#changesFor(executor);
    return changes && this.#fresh(changes).values.get(key);
  }

  /** Computes the value if it is not cached, and caches it if `isKept`. */
  async of(
    executor: Executor,
    key: string,
    work: () => Promise<Value>,
    isKept: (value: Value) => boolean,
  ): Promise<Value> {
    const known = this.known(executor, key);
    if (known !== undefined) return known;
    const changes = this.#changesFor(executor);
    // Taken before the read: a change in between makes the result stale.
    const stamp = changes?.stampOf(this.tables);
    const value = await work();
    if (changes && isKept(value) && this.#changesFor(executor)) this.#keep(this.#fresh(changes), stamp, key, value);
    return value;
  }

  #changesFor(executor: Executor): TableStamps | undefined {
    const { changes, unwritten } = bindingOf(executor);
    return changes ?? unwritten?.(this.tables);
  }

  /** Stale values are dropped immediately, because they may contain data of an erased person. */
  #fresh(changes: TableStamps): Kept<Value> {
    const stamp = changes.stampOf(this.tables);
    const kept = this.#kept.get(changes) ?? { stamp, values: new Map<string, Value>() };
    this.#kept.set(changes, kept);
    if (kept.stamp !== stamp) kept.values.clear();
    kept.stamp = stamp;
    return kept;
  }

  #keep(kept: Kept<Value>, stamp: number | undefined, key: string, value: Value): void {
    if (kept.stamp !== stamp) return;
    if (kept.values.size >= this.most) kept.values.clear();
    kept.values.set(key, value);
  }
}
