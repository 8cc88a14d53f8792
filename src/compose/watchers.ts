// Watchers of changes, and their order. They run inside the transaction that makes the change, so their writes commit
// with it or not at all.
import type { ZoneWatcher } from "../accounts/organisation-service.ts";
import type { AppointmentWatcher } from "../calendar/appointment-changes.ts";
import type { ClosedDayWatcher } from "../calendar/closure-work.ts";
import type { ClosureWatcher } from "../calendar/closure-service.ts";
import type { FinalCalls, FinalCallWatcher } from "../calls/call/final-calls.ts";

/** Sources of changes. */
export interface Watched {
  finalCalls: Pick<FinalCalls, "watch">;
  appointmentWatchers: AppointmentWatcher[];
  closureWatchers: ClosureWatcher[];
  closedDayWatchers: ClosedDayWatcher[];
  zoneWatchers: ZoneWatcher[];
}

/** The watchers. */
export interface Watching {
  campaignWatchers: { finalCall: FinalCallWatcher<unknown> };
  reminderWatchers: {
    finalCall: FinalCallWatcher<unknown>;
    appointment: AppointmentWatcher;
    zone: ZoneWatcher;
    closedDay: ClosedDayWatcher;
  };
  waitingWatchers: { finalCall: FinalCallWatcher<unknown>; appointment: AppointmentWatcher };
  worklist: { callWatcher: FinalCallWatcher<unknown> };
  closureCalls: { reopened: ClosureWatcher };
  provenCalls: FinalCallWatcher<unknown>;
  subscriptionWatcher: AppointmentWatcher;
}

/** Watchers run in the order below. */
export function watch(watched: Watched, rooms: Watching): void {
  const { finalCalls, appointmentWatchers, closureWatchers, closedDayWatchers, zoneWatchers } = watched;
  const {
    campaignWatchers,
    reminderWatchers,
    waitingWatchers,
    worklist,
    closureCalls,
    provenCalls,
    subscriptionWatcher,
  } = rooms;

  // A call is final. Watchers that may call the person again run before the worklist, which depends on them.
  finalCalls.watch(campaignWatchers.finalCall);
  finalCalls.watch(reminderWatchers.finalCall);
  finalCalls.watch(waitingWatchers.finalCall);
  finalCalls.watch(worklist.callWatcher);
  finalCalls.watch(provenCalls);

  // An appointment was created, moved, confirmed or cancelled.
  appointmentWatchers.push(reminderWatchers.appointment, waitingWatchers.appointment, subscriptionWatcher);

  // A closed day is open again.
  closureWatchers.push((...change) => closureCalls.reopened(...change));

  // Days were closed: people on them are moved or called, and not reminded.
  closedDayWatchers.push(reminderWatchers.closedDay);

  // The time zone of an organisation or a branch changed.
  zoneWatchers.push(reminderWatchers.zone);
}
