// The order in which rooms are told of a change.
import { expect, test } from "bun:test";
import type { AppointmentWatcher } from "../../src/calendar/appointment-changes.ts";
import type { ClosedDayWatcher } from "../../src/calendar/closure-work.ts";
import type { ClosureWatcher } from "../../src/calendar/closure-service.ts";
import type { ZoneWatcher } from "../../src/accounts/organisation-service.ts";
import { createFinalCalls } from "../../src/calls/call/final-calls.ts";
import { watch, type Watching } from "../../src/compose/watchers.ts";
import type { Call } from "../../src/calls/call/records.ts";
import type { Tx } from "../../src/db/tables.ts";

/** Ours ask for nothing. */
async function tell(watchers: readonly unknown[]): Promise<void> {
  for (const each of watchers) await (each as () => Promise<void>)();
}

function rooms() {
  const told: string[] = [];
  const say = (name: string) => async () => void told.push(name);
  const call = (name: string) => ({ look: async () => null, ended: say(name) });
  const watching: Watching = {
    worklist: { callWatcher: call("worklist") },
    waitingWatchers: { finalCall: call("waiting list"), appointment: say("waiting list") },
    reminderWatchers: {
      finalCall: call("reminders"),
      appointment: say("reminders"),
      zone: say("reminders"),
      closedDay: say("reminders"),
    },
    campaignWatchers: { finalCall: call("campaigns") },
    closureCalls: { reopened: say("calls for closed days") },
    provenCalls: call("proofs"),
    subscriptionWatcher: say("subscriptions"),
  };
  const watched = {
    finalCalls: createFinalCalls(),
    appointmentWatchers: new Array<AppointmentWatcher>(),
    closureWatchers: new Array<ClosureWatcher>(),
    closedDayWatchers: new Array<ClosedDayWatcher>(),
    zoneWatchers: new Array<ZoneWatcher>(),
  };
  watch(watched, watching);
  return { told, watched };
}

test("the end of a call is told to all who might call again, then to the worklist and the proofs", async () => {
  const { told, watched } = rooms();
  await watched.finalCalls.tell({} as Tx, {} as Call);
  expect(told).toEqual(["campaigns", "reminders", "waiting list", "worklist", "proofs"]);
});

test("changed appointments are told to reminders before the waiting list gives the slot away", async () => {
  const { told, watched } = rooms();
  await tell(watched.appointmentWatchers);
  expect(told).toEqual(["reminders", "waiting list", "subscriptions"]);
});

test("closed and reopened days and changed time zones are told to one room each", async () => {
  const { told, watched } = rooms();
  await tell(watched.closureWatchers);
  await tell(watched.closedDayWatchers);
  await tell(watched.zoneWatchers);
  expect(told).toEqual(["calls for closed days", "reminders", "reminders"]);
});
