// The question that every eraser asks in its transaction: must this record be kept, and until when?
import type { Executor } from "../../db/tables.ts";
import { holdsOnCallsOf, holdsWithKeys, isAnythingHeld, WHOLE_ORGANISATION } from "./hold-store.ts";

/** What a record is about. A hold on any part of it keeps the record. */
export interface Keepable {
  organisationId: string;
  callId?: string | null;
  number?: string | null;
}

export interface Held {
  /** Null: until the hold is released. */
  until: number | null;
}

/** For each record, the hold that lasts longest, or null if the record may be erased. One query for all records. */
export async function heldAmong(
  executor: Executor,
  records: readonly Keepable[],
  now: number,
): Promise<(Held | null)[]> {
  if (records.length === 0 || !(await isAnythingHeld(executor))) return records.map(() => null);
  const keys = new Set([WHOLE_ORGANISATION, ...records.flatMap(keysOf)]);
  const held = new Map<string, Held>();
  for (const { organisation_id, subject_key, until_at } of await holdsWithKeys(executor, [...keys], {})) {
    if (until_at !== null && until_at <= now) continue;
    const place = placeOf(organisation_id, subject_key);
    held.set(place, longer(held.get(place) ?? null, { until: until_at }));
  }
  return records.map((record) =>
    [WHOLE_ORGANISATION, ...keysOf(record)]
      .map((key) => held.get(placeOf(record.organisationId, key)) ?? null)
      .reduce((longest, each) => (each ? longer(longest, each) : longest), null),
  );
}

export async function heldUntil(executor: Executor, record: Keepable, now: number): Promise<Held | null> {
  const [held = null] = await heldAmong(executor, [record], now);
  return held;
}

/** The same for a whole person: a hold on one of their calls counts. */
export async function personHeldUntil(
  executor: Executor,
  organisationId: string,
  number: string,
  now: number,
): Promise<Held | null> {
  let held = await heldUntil(executor, { organisationId, number }, now);
  if (!(await isAnythingHeld(executor))) return held;
  for (const { until_at: until } of await holdsOnCallsOf(executor, { organisationId, number }))
    if (until === null || until > now) held = longer(held, { until });
  return held;
}

const keysOf = ({ callId, number }: Keepable): string[] => [callId ?? [], number ?? []].flat();

const placeOf = (organisationId: string, key: string): string => `${organisationId} ${key}`;

export function longer(one: Held | null, other: Held): Held {
  if (one === null) return other;
  if (one.until === null || other.until === null) return { until: null };
  return one.until >= other.until ? one : other;
}
