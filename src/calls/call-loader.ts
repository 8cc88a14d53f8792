// Batches concurrent reads of single calls into one statement on PostgreSQL, where each statement is a round trip.
// SQLite runs in process, so there each call is read by itself.
import { othersFirst } from "../core/clock.ts";
import { bindingOf } from "../db/binding.ts";
import { prepared, preparedOver } from "../db/prepared.ts";
import { callMeaning, type Call } from "./call/records.ts";
import type { Executor } from "../db/tables.ts";

/** Columns that the view needs (view.ts). Each further column slows down the read of one call. */
const VIEWED_COLUMNS = [
  "id",
  "organisation_id",
  "agent_id",
  "state",
  "direction",
  "contact_number",
  "contact_name",
  "contact_email",
  "preferred_language",
  "contact_time_zone",
  "contact_region",
  "user_identifiers",
  "additional_info",
  "missing_placeholders",
  "scheduled_at",
  "next_at",
  "hold_reason",
  "triggered_at",
  "completed_at",
  "cancelled_at",
  "duration_seconds",
  "credits_consumed",
  "error_code",
  "error_message",
  "recording_file",
  "follows_call_id",
  "scheduled_call_id",
  "created_at",
  "updated_at",
  "campaign_id",
  "simulated",
] as const satisfies readonly (keyof Call)[];

export type ViewedCall = Pick<Call, (typeof VIEWED_COLUMNS)[number]>;

const selectViewed = prepared<{ id: string }>()((db, { id }) =>
  db.selectFrom("calls").select(VIEWED_COLUMNS).where("id", "=", id),
);

async function callToView(executor: Executor, id: string): Promise<ViewedCall | undefined> {
  const [row] = await selectViewed(executor, { id });
  return row && callMeaning.read(row);
}

const AT_ONCE = 16;

const selectSome = preparedOver<object>(AT_ONCE)((db, ids) =>
  db.selectFrom("calls").select(VIEWED_COLUMNS).where("id", "in", ids),
);

export class CallLoader {
  readonly #isAlone: boolean;
  #waiting = new Map<string, PromiseWithResolvers<ViewedCall | undefined>>();

  constructor(private readonly reader: Executor) {
    this.#isAlone = bindingOf(reader).run !== undefined;
  }

  load(id: string): Promise<ViewedCall | undefined> {
    if (this.#isAlone) return callToView(this.reader, id);
    const known = this.#waiting.get(id);
    if (known) return known.promise;
    const asked = Promise.withResolvers<ViewedCall | undefined>();
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

  async #rowsOf(ids: readonly string[]): Promise<Map<string, ViewedCall>> {
    const [first = ""] = ids;
    if (ids.length === 1) {
      const call = await callToView(this.reader, first);
      return new Map(call ? [[first, call]] : []);
    }
    // The statement has a fixed number of parameters; a repeated id returns one row.
    const list = [...ids, ...Array.from({ length: AT_ONCE - ids.length }, () => first)];
    return new Map(callMeaning.readAll(await selectSome(this.reader, list, {})).map((call) => [call.id, call]));
  }
}
