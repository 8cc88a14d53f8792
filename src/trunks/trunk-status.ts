// Present state of trunks: as the running carrier reports it, otherwise as it was last stored.
import type { Clock } from "../core/clock.ts";
import type { TrunkService } from "./trunk-service.ts";
import type { TrunkState } from "./trunk-settings.ts";
import { liveStateView, type TrunkStateView } from "./trunk-view.ts";

/** Status that the running carrier reports. */
export interface CarrierStatus {
  mode: "simulator" | "sip";
  /** Trunks of all organisations. */
  trunkStates(): readonly TrunkState[];
}

export interface TrunkStatusDeps {
  clock: Clock;
  trunks: TrunkService;
  telephony: CarrierStatus;
}

/** By trunk id; undefined if the appliance has not contacted the trunk yet. */
export async function presentStates(
  organisationId: string,
  { clock, trunks, telephony }: TrunkStatusDeps,
): Promise<(trunkId: string) => TrunkStateView | undefined> {
  const live = new Map(telephony.trunkStates().map((state) => [state.id, liveStateView(state, clock.now())]));
  const stored = await trunks.statesOf(organisationId);
  return (trunkId) => live.get(trunkId) ?? stored[trunkId];
}
