// What was worked out of some tables, remembered until one of them changes; see sqlite/table-changes.ts. It is for what
// is asked for often and changes rarely. A transaction, which must see what it wrote itself, remembers nothing.
import { bindingOf, type TableStamps } from "./binding.ts";
import type { Executor, Tables } from "./tables.ts";

interface Kept<Value> {
  /** Everything here was worked out while the tables were as they were then. */
  stamp: number;
  readonly values: Map<string, Value>;
}

export class Memory<Value> {
  readonly #kept = new WeakMap<TableStamps, Kept<Value>>();

  /** `tables` are all that the values come from. Past `most` it begins anew. */
  constructor(
    private readonly tables: readonly (keyof Tables)[],
    private readonly most: number,
  ) {}

  known(executor: Executor, key: string): Value | undefined {
    const { changes } = bindingOf(executor);
    return changes && this.#fresh(changes).values.get(key);
  }

  /** Works it out where it is not known, and keeps it where `isKept`. */
  async of(
    executor: Executor,
    key: string,
    work: () => Promise<Value>,
    isKept: (value: Value) => boolean,
  ): Promise<Value> {
    const known = this.known(executor, key);
    if (known !== undefined) return known;
    const { changes } = bindingOf(executor);
    // Before anything is read: what changes meanwhile makes the answer old.
    const stamp = changes?.stampOf(this.tables);
    const value = await work();
    if (changes && isKept(value)) this.#keep(this.#fresh(changes), stamp, key, value);
    return value;
  }

  /** What is old goes at once: it may be of somebody who was erased. */
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
