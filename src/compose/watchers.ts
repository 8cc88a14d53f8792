// Which rooms are told of a change, and in which order. They are told inside the transaction that makes the change:
// what they write commits with it or not at all.
import type { ZoneWatcher } from "../accounts/organisation-service.ts";
import type { AppointmentWatcher } from "../calendar/appointment-changes.ts";
import type { ClosureWatcher } from "../calendar/closure-service.ts";
import type { FinalCalls, FinalCallWatcher } from "../calls/call/final-calls.ts";

/** What is watched. */
export interface Watched {
  finalCalls: Pick<FinalCalls, "watch">;
  appointmentWatchers: AppointmentWatcher[];
  closureWatchers: ClosureWatcher[];
  zoneWatchers: ZoneWatcher[];
}

/** The rooms that watch. */
export interface Watching {
  campaignWatchers: { finalCall: FinalCallWatcher<unknown> };
  reminderWatchers: { finalCall: FinalCallWatcher<unknown>; appointment: AppointmentWatcher; zone: ZoneWatcher };
  waitingWatchers: { finalCall: FinalCallWatcher<unknown>; appointment: AppointmentWatcher };
  worklist: { callWatcher: FinalCallWatcher<unknown> };
  closureCalls: { reopened: ClosureWatcher };
}

/** The order below is the order in which they are told. */
export function watch(watched: Watched, rooms: Watching): void {
  const { finalCalls, appointmentWatchers, closureWatchers, zoneWatchers } = watched;
  const { campaignWatchers, reminderWatchers, waitingWatchers, worklist, closureCalls } = rooms;

  // A call is over for good. Rooms that may call the person again come before the worklist, which needs to know.
  finalCalls.watch(campaignWatchers.finalCall);
  finalCalls.watch(reminderWatchers.finalCall);
  finalCalls.watch(waitingWatchers.finalCall);
  finalCalls.watch(worklist.callWatcher);

  // An appointment was made, moved, confirmed or cancelled.
  appointmentWatchers.push(reminderWatchers.appointment, waitingWatchers.appointment);

  // A closed day is open again.
  closureWatchers.push((...change) => closureCalls.reopened(...change));

  // An organisation or a branch has another time zone.
  zoneWatchers.push(reminderWatchers.zone);
}
