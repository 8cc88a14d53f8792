// The waiting list and everything that makes it work, brought together.
import type { AppointmentWatcher } from "../calendar/appointment-changes.ts";
import type { RetentionDeps } from "../calendar/appointment-retention.ts";
import type { FinalCalls } from "../calls/call/final-calls.ts";
import type { CallsWithin } from "../calls/within.ts";
import { createBookedElsewhere } from "./booked-elsewhere.ts";
import { createWaitingLoop } from "./loop.ts";
import { offerOfCall } from "./offer-store.ts";
import { WaitingOffers } from "./offers.ts";
import { waitingSettings } from "./rules.ts";
import { createWaitingRetention } from "./retention.ts";
import { createWaitingListService, type WaitingListDeps } from "./service.ts";

export interface WaitingDeps extends Omit<WaitingListDeps, "offers">, RetentionDeps {
  finalCalls: Pick<FinalCalls, "watch">;
  callsWithin: Pick<CallsWithin, "cancel">;
  appointmentWatchers: AppointmentWatcher[];
}

export function createWaiting(deps: WaitingDeps) {
  const settings = waitingSettings(deps.config);
  const waitingOffers = new WaitingOffers({ ...deps, settings });
  deps.finalCalls.watch({
    look: async (tx, call) => (call.source === "waiting_list" ? offerOfCall(tx, call.id) : undefined),
    ended: (tx, { call }, offer) => waitingOffers.finished(tx, call, offer),
  });
  deps.appointmentWatchers.push(createBookedElsewhere({ ...deps, offers: waitingOffers }));
  return {
    waitingOffers,
    waitingLoop: createWaitingLoop({ ...deps, settings, offers: waitingOffers }),
    waitingList: createWaitingListService({ ...deps, offers: waitingOffers }),
    waitingRetention: createWaitingRetention(deps),
  };
}
