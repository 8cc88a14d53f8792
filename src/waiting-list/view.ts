// A waiting-list entry as API and pages show it.
import { availabilitySlotId } from "../calendar/slot-id.ts";
import { windowOf } from "../calendar/window-store.ts";
import { toIso } from "../core/clock.ts";
import type { BookingWindow } from "../calendar/records.ts";
import type { Executor } from "../db/tables.ts";
import { identifiersIn } from "../payloads/identifiers.ts";
import type { Waiting } from "./model.ts";
import { offersOf } from "./offer-store.ts";
import type { WaitingEntry, WaitingOffer } from "./records.ts";

export async function waitingViews(executor: Executor, rows: readonly WaitingEntry[]): Promise<Waiting[]> {
  const offers = Map.groupBy(
    await offersOf(
      executor,
      rows.map(({ id }) => id),
    ),
    ({ entry_id }) => entry_id,
  );
  const windows = new Map<string, BookingWindow>();
  for (const row of rows) {
    const last = offers.get(row.id)?.at(-1);
    if (!last || windows.has(last.window_id)) continue;
    const window = await windowOf(executor, row.organisation_id, last.window_id);
    if (window) windows.set(window.id, window);
  }
  return rows.map((row) => waitingView(row, offers.get(row.id) ?? [], windows));
}

function waitingView(
  row: WaitingEntry,
  offers: readonly WaitingOffer[],
  windows: ReadonlyMap<string, BookingWindow>,
): Waiting {
  const last = offers.at(-1);
  const window = last && windows.get(last.window_id);
  return {
    waiting_id: row.id,
    status: row.state,
    branch_id: row.branch_id,
    appointment_type_id: row.appointment_type_id,
    agent_id: row.agent_id,
    contact_name: row.contact_name,
    contact_number: row.contact_number,
    contact_email: row.contact_email,
    contact_identifiers: identifiersIn(row.contact_identifiers),
    from: row.from_date,
    to: row.to_date,
    sessions: [...row.sessions],
    notes: row.notes,
    source: row.source,
    call_id: row.call_id,
    appointment_id: row.appointment_id,
    calls: offers.filter(({ state }) => state !== "undialled").length,
    last_offer: last && window ? offerView(last, window) : null,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
    contact_time_zone: row.contact_time_zone,
    contact_region: row.contact_region,
  };
}

const offerView = (offer: WaitingOffer, window: BookingWindow) => ({
  slot_id: availabilitySlotId(offer.window_id, offer.date),
  date: offer.date,
  start_time: window.start_time,
  end_time: window.end_time,
  call_id: offer.call_id,
  status: offer.state,
  offered_at: toIso(offer.offered_at),
});
