// Ids that are alive, learned from the answers to one lane's own requests: what a lane sends depends on no other lane.
import { oneOf, type Draw } from "./draw.ts";
import type { FuzzRequest } from "./request.ts";

/** More than these are forgotten, the oldest first. */
const MOST_KEPT = 40;

export class Pool {
  readonly #items = new Map<string, string[]>();

  constructor(seeds: ReadonlyMap<string, readonly string[]>) {
    for (const [kind, ids] of seeds) this.#items.set(kind, [...ids]);
  }

  add(kind: string, id: string): void {
    const items = this.#items.get(kind) ?? [];
    items.push(id);
    if (items.length > MOST_KEPT) items.shift();
    this.#items.set(kind, items);
  }

  /** By its id, whatever else stands behind it. */
  forget(kind: string, id: string): void {
    const items = this.#items.get(kind) ?? [];
    this.#items.set(
      kind,
      items.filter((item) => item.split(" ")[0] !== id),
    );
  }

  pick(draw: Draw, kind: string): string | null {
    const items = this.#items.get(kind) ?? [];
    return items.length === 0 ? null : oneOf(draw, items);
  }
}

/** Fields of an answer's `data` that name what was made, and the kind of it. */
const LEARNED: Readonly<Record<string, readonly [field: string, kind: string]>> = {
  createCall: ["call_id", "call_id"],
  inboundHook: ["call_id", "call_id"],
  createCampaign: ["campaign_id", "campaign_id"],
  createAppointment: ["appointment_id", "appointment_id"],
  addToWaitingList: ["waiting_id", "waiting_id"],
};

export function learn(pool: Pool, { operation: { id }, path, query }: FuzzRequest, json: unknown): string | null {
  const { data, next_cursor } = (json ?? {}) as { data?: Record<string, unknown>; next_cursor?: unknown };
  // A cursor is good for the filters of its own list: those without any are used again, with none.
  const isUnfiltered = Object.keys(path).length === 0 && query.every(([name]) => name === "limit" || name === "cursor");
  if (typeof next_cursor === "string" && isUnfiltered) pool.add(`cursor ${id}`, next_cursor);
  if (id === "createWindow" || id === "changeWindow") return learnWindow(pool, data);
  if (id === "deleteCall" && typeof data?.["call_id"] === "string") pool.forget("call_id", data["call_id"]);
  const [field, kind] = LEARNED[id] ?? [];
  const made = field === undefined ? undefined : data?.[field];
  if (kind === undefined || typeof made !== "string") return null;
  pool.add(kind, made);
  return made;
}

/** With its day, since only the dates of that day can be booked. */
function learnWindow(pool: Pool, data: Record<string, unknown> | undefined): string | null {
  const { calendar_id: id, day } = data ?? {};
  if (typeof id !== "string" || typeof day !== "string") return null;
  pool.forget("window", id);
  pool.add("window", `${id} ${day}`);
  return id;
}
