// What was worked out of single rows of a table, by their ids, and of other tables that change rarely. A commit that
// changed one row forgets that one; see sqlite/table-changes.ts. Where rows are not told apart, nothing is remembered.
import { bindingOf, type TableStamps } from "./binding.ts";
import type { Executor, Tables } from "./tables.ts";

class Kept<Value> {
  readonly values = new Map<string, Value>();
  /** Of the other tables, and of whatever other processes did. */
  stamp = Number.NaN;
  /** Counts what was forgotten: what was read before that may be old. */
  forgotten = 0;

  readonly forget = (id: string | null): void => {
    this.forgotten += 1;
    if (id === null) this.values.clear();
    else this.values.delete(id);
  };
}

export class RowMemory<Value extends object> {
  readonly #kept = new WeakMap<TableStamps, Kept<Value>>();

  /** `others`: all further tables that the values come from. Past `most` the oldest is forgotten. */
  constructor(
    private readonly table: keyof Tables,
    private readonly others: readonly (keyof Tables)[],
    private readonly most: number,
  ) {}

  /** Works it out where it is not known, and keeps it where `isKept`. */
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

  /** What is old goes at once: it may be of somebody who was erased. */
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
