// All configured trunks, and removed ones that still have calls.
import { numberDialled } from "../../../core/caller-number.ts";
import type { Logger } from "../../../core/logger.ts";
import type { SipRequest } from "../message/message.ts";
import { accountUserOf } from "../../../trunks/trunk-settings.ts";
import { isSameRegistration, isSameTrunk } from "./same-trunk.ts";
import { isAsSafeAs, type Flow } from "../transport/flow.ts";
import { openTrunk, type TrunkOptions } from "./trunk.ts";
import type { Trunk } from "./trunk-port.ts";
import { userOf } from "../message/uri.ts";
import type { TrunkSettings, TrunkState } from "../../../trunks/trunk-settings.ts";

export interface TrunkSet {
  set(settings: readonly TrunkSettings[]): void;
  find(trunkId: string): Trunk | undefined;
  hears(address: string): boolean;
  /** Whether both flows lead to the same trunk. */
  isSamePeer(sent: Flow, came: Flow): boolean;
  /** The trunk of an inbound request: several accounts and organisations may share one address. */
  callerOf(request: SipRequest, flow: Flow): Trunk | undefined;
  owns(address: string): boolean;
  flowConnected(flow: Flow): void;
  flowFailed(flow: Flow, reason: string): void;
  states(): TrunkState[];
  /** Closes removed trunks without calls. */
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

  function open(settings: TrunkSettings): void {
    const trunk: Trunk = openTrunk({
      ...options,
      settings,
      // The state of a removed trunk must not be reported for its replacement.
      changed: (state) => {
        if (current.get(settings.id) === trunk) changed(state);
      },
    });
    current.set(settings.id, trunk);
  }

  function retire(trunk: Trunk, next: TrunkSettings | undefined): void {
    current.delete(trunk.settings.id);
    retired.add(trunk);
    trunk.retire(isSameRegistration(trunk.settings, next));
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
      for (const trunk of current.values()) {
        const next = wanted.get(trunk.settings.id);
        if (!isSameTrunk(trunk.settings, next)) retire(trunk, next);
      }
      for (const one of settings) {
        const present = current.get(one.id);
        if (present) present.settings.numbers = one.numbers;
        // Copied: later changes of the caller's object must not affect ours.
        else open({ ...one });
      }
      sweep();
    },
    find: (trunkId) => current.get(trunkId),
    hears: (address) => everyone().some((trunk) => trunk.hears(address)),
    isSamePeer: (sent, came) =>
      isAsSafeAs(came.transport, sent.transport) &&
      (sent.remote.address === came.remote.address ||
        everyone().some((trunk) => trunk.hears(sent.remote.address) && trunk.hears(came.remote.address))),
    callerOf: (request, flow) => callerAmong([...current.values()], request, flow),
    owns: (address) => [...current.values()].some((trunk) => trunk.owns(address)),
    flowConnected(flow) {
      for (const trunk of everyone()) trunk.flowConnected(flow);
    },
    flowFailed(flow, reason) {
      for (const trunk of everyone()) trunk.flowFailed(flow, reason);
    },
    states: () => [...current.values()].map((trunk) => trunk.state()),
    sweep,
    async close() {
      await Promise.all(everyone().map((trunk) => new Promise<void>((resolve) => trunk.close(resolve))));
    },
  };
}

/**
 * Selects among the trunks at this address by the strongest criterion: the dialled number, then the account, a name,
 * and the flow.
 */
function callerAmong(trunks: readonly Trunk[], request: SipRequest, flow: Flow): Trunk | undefined {
  const { remote } = flow;
  const there = trunks.filter((trunk) => trunk.owns(remote.address) && trunk.mayCallOver(flow));
  const account = there.filter(({ settings }) => accountUserOf(settings) === userOf(request.uri));
  return (
    carrierOf(request.uri, there) ??
    carrierOf(request.to.uri, account) ??
    account[0] ??
    there.find(({ settings }) => settings.dialledNames.includes(userOf(request.uri) ?? "")) ??
    there.find((trunk) => trunk.flow() === flow) ??
    there.find((trunk) => trunk.flow()?.remote.port === remote.port) ??
    there[0]
  );
}

/**
 * A number belongs to one organisation only, so the dialled number is a stronger criterion than an account or a port.
 */
function carrierOf(uri: string, trunks: readonly Trunk[]): Trunk | undefined {
  const ours = trunks.flatMap((trunk) => trunk.settings.numbers.map((number) => ({ number, trunk })));
  return numberDialled(userOf(uri) ?? "", ours)?.trunk;
}
