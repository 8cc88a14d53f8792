// slot.updated: published when a window or one of its dates changes, and when a booking changes the fill of a date.
import type { Tx } from "../db/tables.ts";
import type { Outbox } from "../events/outbox.ts";
import { capacityOf } from "./capacity.ts";
import type { BookingWindow } from "./records.ts";
import { datedView, windowView } from "./views.ts";
import { heldSlots, windowDate } from "./window-store.ts";

/**
 * Notifies the waiting list of an opened slot, in the transaction that opens it. A null date means every date of the
 * window.
 */
export interface Openings {
  opened(tx: Tx, window: BookingWindow, date: string | null, now: number): Promise<void>;
}

const NOBODY_WAITS: Openings = { opened: async () => {} };

export function createSlotEvents(outbox: Outbox, { opened }: Openings = NOBODY_WAITS) {
  return {
    opened,

    async windowChanged(tx: Tx, window: BookingWindow): Promise<void> {
      await outbox.publish(tx, {
        organisationId: window.organisation_id,
        type: "slot.updated",
        data: windowView(window),
      });
    },

    async dateChanged(tx: Tx, window: BookingWindow, date: string, now: number): Promise<void> {
      const capacity = capacityOf(
        window,
        await windowDate(tx, window.id, date),
        await heldSlots(tx, window.id, date, now),
      );
      await outbox.publish(tx, {
        organisationId: window.organisation_id,
        type: "slot.updated",
        data: datedView(windowView(window), date, capacity),
      });
    },
  };
}

export type SlotEvents = ReturnType<typeof createSlotEvents>;
