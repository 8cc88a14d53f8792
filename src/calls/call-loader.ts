// Reads of single calls that arrive together are asked for in one statement, where a statement is a message to another process. SQLite
// answers at once, so there each is asked for by itself.
import { othersFirst } from "../core/clock.ts";
import { bindingOf } from "../db/binding.ts";
import { preparedOver } from "../db/prepared.ts";
import type { CallRow, Executor } from "../db/tables.ts";
import { callById } from "./store.ts";

const AT_ONCE = 16;

const selectSome = preparedOver<object>(AT_ONCE)((db, ids) =>
  db.selectFrom("calls").selectAll().where("id", "in", ids),
);

export class CallLoader {
  readonly #isAlone: boolean;
  #waiting = new Map<string, PromiseWithResolvers<CallRow | undefined>>();

  constructor(private readonly reader: Executor) {
    this.#isAlone = bindingOf(reader).run !== undefined;
  }

  load(id: string): Promise<CallRow | undefined> {
    if (this.#isAlone) return callById(this.reader, id);
    const known = this.#waiting.get(id);
    if (known) return known.promise;
    const asked = Promise.withResolvers<CallRow | undefined>();
    this.#waiting.set(id, asked);
    if (this.#waiting.size === 1) void othersFirst().then(() => this.#loadAll());
    else if (this.#waiting.size === AT_ONCE) void this.#loadAll();
    return asked.promise;
  }

  async #loadAll(): Promise<void> {
    const asked = this.#waiting;
    if (asked.size === 0) return;
    this.#waiting = new Map();
    try {
      const found = await this.#rowsOf([...asked.keys()]);
      for (const [id, { resolve }] of asked) resolve(found.get(id));
    } catch (error) {
      for (const { reject } of asked.values()) reject(error);
    }
  }

  async #rowsOf(ids: readonly string[]): Promise<Map<string, CallRow>> {
    const [first = ""] = ids;
    if (ids.length === 1) {
      const call = await callById(this.reader, first);
      return new Map(call ? [[first, call]] : []);
    }
    // The statement takes exactly so many; one that is named twice is found once.
    const list = [...ids, ...Array.from({ length: AT_ONCE - ids.length }, () => first)];
    return new Map((await selectSome(this.reader, list, {})).map((call) => [call.id, call]));
  }
}
