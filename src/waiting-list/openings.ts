// Where the calendar says that a place has opened: one row in its own transaction, so that no crash loses it.
import type { Openings } from "../calendar/slot-events.ts";
import { noteOpening } from "./offer-store.ts";
import { isAwaited } from "./store.ts";

/** Where nobody waits, nothing is written. */
export const waitingOpenings: Openings = {
  async opened(tx, window, date, now) {
    const { id, organisation_id, branch_id } = window;
    if (!(await isAwaited(tx, organisation_id, branch_id))) return;
    await noteOpening(tx, { window_id: id, date: date ?? "", organisation_id }, now);
  },
};
