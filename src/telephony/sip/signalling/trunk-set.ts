// All trunks, as the configuration has them now, and those that are gone but still carry a call.
import type { Logger } from "../../../core/logger.ts";
import type { SipRequest } from "./message.ts";
import type { Flow } from "./transport/flow.ts";
import { openTrunk, type Trunk, type TrunkOptions } from "./trunk.ts";
import { userOf } from "./uri.ts";
import type { TrunkSettings, TrunkState } from "./user-agent-port.ts";

export interface TrunkSet {
  set(settings: readonly TrunkSettings[]): void;
  find(trunkId: string): Trunk | undefined;
  hears(address: string): boolean;
  /** Whose call this is: several accounts may live at one address. */
  callerOf(request: SipRequest, flow: Flow): Trunk | undefined;
  flowFailed(flow: Flow): void;
  states(): TrunkState[];
  /** Closes trunks that were taken away and have no call left. */
  sweep(): void;
  close(): Promise<void>;
}

export type TrunkSetOptions = Omit<TrunkOptions, "settings"> & { logger: Logger };

export function createTrunkSet(options: TrunkSetOptions): TrunkSet {
  const { logger } = options;
  const current = new Map<string, Trunk>();
  const retired = new Set<Trunk>();
  const everyone = () => [...current.values(), ...retired];

  function changed(state: TrunkState): void {
    const fields = { trunk: state.id, state: state.state, registered: state.isRegistered, problem: state.lastError };
    if (state.state === "down" || state.restingUntilMs !== null) logger.warn("a trunk is not available", fields);
    else logger.info("a trunk changed its state", fields);
    options.changed(state);
  }

  function retire(trunk: Trunk): void {
    current.delete(trunk.settings.id);
    retired.add(trunk);
  }

  function sweep(): void {
    for (const trunk of retired) {
      if (trunk.state().activeCalls > 0) continue;
      retired.delete(trunk);
      trunk.close(() => {});
    }
  }

  return {
    set(settings) {
      const wanted = new Map(settings.map((one) => [one.id, one]));
      for (const trunk of everyone()) {
        const next = wanted.get(trunk.settings.id);
        if (!retired.has(trunk) && JSON.stringify(next) !== JSON.stringify(trunk.settings)) retire(trunk);
      }
      for (const one of settings) {
        // Copied: a caller who changes its own object later must not change ours unseen.
        if (!current.has(one.id)) current.set(one.id, openTrunk({ ...options, settings: { ...one }, changed }));
      }
      sweep();
    },
    find: (trunkId) => current.get(trunkId),
    hears: (address) => everyone().some((trunk) => trunk.hears(address)),
    callerOf(request, { remote }) {
      const there = [...current.values()].filter((trunk) => trunk.owns(remote.address));
      const user = userOf(request.uri);
      return (
        there.find(({ settings }) => settings.username !== null && settings.username === user) ??
        there.find((trunk) => trunk.flow()?.remote.port === remote.port) ??
        there[0]
      );
    },
    flowFailed(flow) {
      for (const trunk of current.values()) trunk.flowFailed(flow);
    },
    states: () => [...current.values()].map((trunk) => trunk.state()),
    sweep,
    async close() {
      await Promise.all(everyone().map((trunk) => new Promise<void>((resolve) => trunk.close(resolve))));
    },
  };
}
