// Entry point of the waiting list: assembles its parts.
import type { RetentionDeps } from "../calendar/appointment-retention.ts";
import type { FinalCallWatcher } from "../calls/call/final-calls.ts";
import type { CallsWithin } from "../calls/within.ts";
import { createAwaitedPlaces } from "./awaited.ts";
import { createBookedElsewhere } from "./booked-elsewhere.ts";
import { createWaitingLoop } from "./loop.ts";
import type { WaitingOffer } from "./records.ts";
import { offerOfCall } from "./offer-store.ts";
import { WaitingOffers } from "./offers.ts";
import { waitingSettings } from "./rules.ts";
import { createWaitingRetention } from "./retention.ts";
import { createWaitingListService, type WaitingListDeps } from "./service.ts";

export interface WaitingDeps extends Omit<WaitingListDeps, "offers">, RetentionDeps {
  callsWithin: Pick<CallsWithin, "cancel">;
}

export function createWaiting(deps: WaitingDeps) {
  const settings = waitingSettings(deps.config);
  const waitingOffers = new WaitingOffers({ ...deps, settings });
  const finalCall: FinalCallWatcher<WaitingOffer | undefined> = {
    look: async (tx, call) => (call.source === "waiting_list" ? offerOfCall(tx, call.id) : undefined),
    ended: (tx, { call }, offer) => waitingOffers.finished(tx, call, offer),
  };
  return {
    waitingWatchers: { finalCall, appointment: createBookedElsewhere({ ...deps, offers: waitingOffers }) },
    waitingOffers,
    waitingLoop: createWaitingLoop({ ...deps, settings, offers: waitingOffers }),
    awaitedPlaces: createAwaitedPlaces(deps),
    waitingList: createWaitingListService({ ...deps, offers: waitingOffers }),
    waitingRetention: createWaitingRetention(deps),
  };
}
