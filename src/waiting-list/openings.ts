// Records slots that open in the calendar: one row in the calendar's transaction, so a crash loses none.
import type { Openings } from "../calendar/slot-events.ts";
import { noteOpening } from "./offer-store.ts";
import { isAwaited } from "./store.ts";

/** Writes nothing if no entry waits. */
export const waitingOpenings: Openings = {
  async opened(tx, window, date, now) {
    const { id, organisation_id, branch_id } = window;
    if (!(await isAwaited(tx, organisation_id, branch_id))) return;
    await noteOpening(tx, { window_id: id, date: date ?? "", organisation_id }, now);
  },
};
