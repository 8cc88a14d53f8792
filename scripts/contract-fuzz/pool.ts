// Live ids, learned only from the responses to one lane's requests, so lanes are independent of each other.
import { oneOf, type Draw } from "./draw.ts";
import type { FuzzRequest } from "./request.ts";

/** Beyond this number the oldest are dropped. */
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

  /** Removes by id, whatever follows it. */
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

/** Fields of a response's `data` that name a created object, and its kind. */
const LEARNED: Readonly<Record<string, readonly [field: string, kind: string]>> = {
  createCall: ["call_id", "call_id"],
  inboundHook: ["call_id", "call_id"],
  addPhoneNumber: ["phone_number_id", "phone_number_id"],
  createTrunk: ["trunk_id", "trunk_id"],
  createAgent: ["agent_id", "agent_id"],
  createCampaign: ["campaign_id", "campaign_id"],
  createAppointment: ["appointment_id", "appointment_id"],
  addToWaitingList: ["waiting_id", "waiting_id"],
  grantConsent: ["consent_id", "consent_id"],
  addRetentionHold: ["hold_id", "hold_id"],
  createWebhookEndpoint: ["endpoint_id", "endpoint_id"],
  createApiKey: ["key_id", "key_id"],
  testWebhookEndpoint: ["delivery_id", "delivery_id"],
  createReminderRule: ["rule_id", "rule_id"],
  createBranch: ["branch_id", "branch_id"],
  createService: ["appointment_type_id", "appointment_type_id"],
  createSource: ["source_id", "source_id"],
  registerSmartClient: ["key_id", "key_id"],
};

/** The same of what a request removed. */
const GONE: typeof LEARNED = {
  deleteCall: ["call_id", "call_id"],
  removeBranch: ["branch_id", "branch_id"],
  removeReminderRule: ["rule_id", "rule_id"],
};

export function learn(pool: Pool, { operation: { id }, path, query }: FuzzRequest, json: unknown): string | null {
  const { data, next_cursor } = (json ?? {}) as { data?: Record<string, unknown>; next_cursor?: unknown };
  // A cursor is valid only with the filters of its list: only cursors of unfiltered lists are reused.
  const isUnfiltered = Object.keys(path).length === 0 && query.every(([name]) => name === "limit" || name === "cursor");
  if (typeof next_cursor === "string" && isUnfiltered) pool.add(`cursor ${id}`, next_cursor);
  if (id === "createWindow" || id === "changeWindow") return learnWindow(pool, data);
  if (id === "removeWebhookEndpoint") pool.forget("endpoint_id", path["endpoint_id"] ?? "");
  if (id === "removePhoneNumber") pool.forget("phone_number_id", path["phone_number_id"] ?? "");
  if (id === "removeSource") pool.forget("source_id", path["source_id"] ?? "");
  if (id === "removeTrunk") pool.forget("trunk_id", path["trunk_id"] ?? "");
  const [goneField, goneKind] = GONE[id] ?? [];
  const gone = goneField === undefined ? undefined : data?.[goneField];
  if (goneKind !== undefined && typeof gone === "string") pool.forget(goneKind, gone);
  if (id === "createClosure") return learnClosures(pool, data);
  const [field, kind] = LEARNED[id] ?? [];
  const made = field === undefined ? undefined : data?.[field];
  if (kind === undefined || typeof made !== "string") return null;
  pool.add(kind, made);
  return made;
}

function learnClosures(pool: Pool, data: Record<string, unknown> | undefined): string | null {
  const ids = data?.["closure_ids"];
  const [first] = Array.isArray(ids) ? (ids as unknown[]) : [];
  if (typeof first !== "string") return null;
  pool.add("closure_id", first);
  return first;
}

/** With its weekday, because only dates on that day can be booked. */
function learnWindow(pool: Pool, data: Record<string, unknown> | undefined): string | null {
  const { calendar_id: id, day } = data ?? {};
  if (typeof id !== "string" || typeof day !== "string") return null;
  pool.forget("window", id);
  pool.add("window", `${id} ${day}`);
  return id;
}
