// Watches appointments of sources: what a person said goes to the source's endpoint, in the transaction that stores it.
import { viewOf, type AppointmentWatcher } from "../../../calendar/appointment-changes.ts";
import type { Appointment } from "../../../calendar/records.ts";
import { isTold } from "../../../events/known-endpoint.ts";
import { endpointOfSource } from "../../../events/endpoint-store.ts";
import type { Outbox } from "../../../events/outbox.ts";
import type { Saying, Told } from "./told-message.ts";

export function createTeller(outbox: Pick<Outbox, "publish">): AppointmentWatcher {
  return async (tx, row, before) => {
    const told = toldBy(row, before);
    if (told === null || row.source_id === null || row.external_id === null) return;
    const endpoint = await endpointOfSource(tx, row.source_id);
    if (!endpoint || endpoint.organisation_id !== row.organisation_id || !isTold(endpoint)) return;
    await outbox.publish(
      tx,
      {
        organisationId: row.organisation_id,
        type: "appointment.updated",
        appointmentId: row.id,
        // One after the other for each appointment.
        orderKey: row.id,
        data: { ...(await viewOf(tx, row)), told },
      },
      [endpoint],
    );
  };
}

type Answer = Pick<
  Appointment,
  "source_changed_at" | "contact_confirmed_at" | "status" | "wish" | "wish_state" | "wish_text"
>;

/** Null for what the source said itself, and for changes that are not the contact's. */
export function toldBy(row: Answer, before: Answer | null): Told | null {
  if (before === null || row.source_changed_at !== before.source_changed_at) return null;
  const wasOpen = before.wish_state === "open";
  const isOpen = row.wish_state === "open";
  const isNewWish = isOpen && (!wasOpen || row.wish !== before.wish || row.wish_text !== before.wish_text);
  if (isNewWish && row.wish !== null) return { saying: sayingOf(row.wish), text: row.wish_text };
  if (row.status === "cancelled" && before.status !== "cancelled") return { saying: "cancel", text: null };
  if (row.contact_confirmed_at !== null && row.contact_confirmed_at !== before.contact_confirmed_at)
    return { saying: "confirmed", text: null };
  return wasOpen && row.wish_state === null ? { saying: "withdrawn", text: null } : null;
}

const sayingOf = (wish: "cancel" | "move"): Saying => wish;
