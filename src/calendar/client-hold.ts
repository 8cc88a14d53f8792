// A place that an API client holds while its user completes the booking. It counts like a caller's hold, and only the
// key that holds it may book it.
import type { Audit } from "../accounts/audit.ts";
import type { Actor } from "../core/actor.ts";
import { SECOND_MS, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import type { Executor, Tx } from "../db/tables.ts";
import { serviceOf } from "./appointment-changes.ts";
import { assertRoom, bookableSlot } from "./booking.ts";
import { HOLD_MS } from "./hold.ts";
import type { BookingWindow } from "./records.ts";
import { deleteHoldsOfCall, ensureWindowDate, holdById, holdsOfKey, insertHold, windowOf } from "./window-store.ts";

export interface ClientHold {
  id: string;
  window: BookingWindow;
  date: string;
  serviceId: string | null;
  expiresAt: number;
}

export interface Holder {
  organisationId: string;
  keyId: string;
}

/** A user looks at a few places. More would keep them from other patients. */
const MOST_HELD = 50;

/** Throws SLOT_FULL if no place is left, and RATE_LIMITED if the key holds too many. */
export async function holdForClient(
  tx: Tx,
  { clock, ids, audit }: { clock: Clock; ids: Ids; audit: Audit },
  { organisationId, keyId }: Holder,
  asked: { slotId: string; serviceId: string | null },
  actor: Actor,
): Promise<ClientHold> {
  const now = clock.now();
  if ((await holdsOfKey(tx, keyId, now)) >= MOST_HELD)
    throw new AppError("RATE_LIMITED", `A key holds at most ${MOST_HELD} places. Book or release some first.`, {
      retryAfterSeconds: HOLD_MS / SECOND_MS,
    });
  const slot = await bookableSlot(tx, clock, organisationId, asked.slotId);
  const serviceId = serviceOf(slot.window, asked.serviceId);
  await assertRoom(tx, slot, "all", now);
  // Availability counts holds only on dates that have a row.
  await ensureWindowDate(tx, slot.window.id, slot.date, now);
  const [id, expiresAt] = [ids.next("hld"), now + HOLD_MS];
  await insertHold(tx, {
    id,
    window_id: slot.window.id,
    date: slot.date,
    call_id: id,
    expires_at: expiresAt,
    held_by: keyId,
    appointment_type_id: serviceId,
  });
  const detail = { date: slot.date };
  await audit.record(tx, { organisationId, actor, action: "slot.held", subjectId: slot.window.id, detail });
  return { id, ...slot, serviceId, expiresAt };
}

/** Undefined if it expired, is another key's, or was booked or released. */
export async function clientHold(
  executor: Executor,
  clock: Clock,
  { organisationId, keyId }: Holder,
  id: string,
): Promise<ClientHold | undefined> {
  const row = await holdById(executor, id);
  if (!row || row.held_by !== keyId || row.expires_at <= clock.now()) return undefined;
  const window = await windowOf(executor, organisationId, row.window_id);
  return window && { id, window, date: row.date, serviceId: row.appointment_type_id, expiresAt: row.expires_at };
}

/** Before its place is booked in the same transaction, or for good. */
export async function releaseClientHold(tx: Tx, { id }: Pick<ClientHold, "id">): Promise<void> {
  await deleteHoldsOfCall(tx, id);
}
