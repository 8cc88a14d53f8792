// How a trunk is reached: looks its name up, keeps a flow to one of its addresses, moves to the next when one is dead.
import type { Clock } from "../../../core/clock.ts";
import type { TrunkRefusal } from "../../trunk-addresses.ts";
import { isPrivateAddress } from "./addresses.ts";
import { uriInside } from "./header-fields.ts";
import type { Dialog } from "./dialog.ts";
import { RefusedAddress, resolveTrunk, type Resolver } from "./resolve.ts";
import type { Endpoint, Flow } from "./transport/flow.ts";
import type { TrunkSettings } from "./user-agent-port.ts";

export interface Reach {
  /** Null until the name was looked up. */
  flow(): Flow | null;
  /** Where requests of this dialog go: its first route or its peer's Contact (RFC 3261, section 12.2.1.1). */
  flowFor(dialog: Dialog): Flow | null;
  hears(address: string): boolean;
  owns(address: string): boolean;
  addresses(): readonly string[];
  /** This address is dead: the next one, please. */
  moveOn(): void;
  /** The connection leads nowhere: another, please. Does nothing over UDP. */
  reconnect(): void;
  close(): void;
}

export interface ReachOptions {
  clock: Clock;
  settings: TrunkSettings;
  resolver: Resolver;
  refusal: TrunkRefusal;
  openFlow: (settings: TrunkSettings, remote: Endpoint) => Promise<OpenedFlow>;
  /** A flow to another address over the same UDP socket; null with TCP and TLS, where the connection is the way. */
  sideFlow: (remote: Endpoint, like: Flow) => Flow | null;
  ready: () => void;
  unresolved: (detail: string) => void;
  /** It has an address at which no trunk may be. */
  refused: (reason: string) => void;
}

export interface OpenedFlow {
  flow: Flow;
  close: () => void;
  /** Missing where there is no connection. */
  reconnect?: () => void;
}

const LOOK_AGAIN_MS = 300_000;
const LOOK_AGAIN_AFTER_FAILURE_MS = 10_000;
/** Where every address refuses at once, they are tried in turn and not in a whirl. */
const MOVE_EVERY_MS = 1_000;
/** A carrier's media cluster answers from a few addresses of its own. */
const MOST_SIDE_ADDRESSES = 64;

export function openReach(options: ReachOptions): Reach {
  const { clock, settings, resolver, refusal } = options;
  let endpoints: Endpoint[] = [];
  let chosen = 0;
  let opened: OpenedFlow | null = null;
  let isClosed = false;
  let cancelLook = () => {};
  let cancelMoving: (() => void) | null = null;
  const sideAddresses = new Set<string>();

  async function look(): Promise<void> {
    try {
      const found = await resolveTrunk(settings, resolver, refusal);
      if (isClosed) return;
      if (found.length === 0) throw new Error("no address");
      const current = endpoints[chosen];
      endpoints = found;
      chosen = Math.max(
        0,
        found.findIndex((one) => one.address === current?.address && one.port === current.port),
      );
      if (!opened || found[chosen]?.address !== current?.address) await open();
      cancelLook = clock.after(LOOK_AGAIN_MS, () => void look());
    } catch (error) {
      if (isClosed) return;
      cancelLook = clock.after(LOOK_AGAIN_AFTER_FAILURE_MS, () => void look());
      if (error instanceof RefusedAddress) options.refused(error.message);
      else options.unresolved(error instanceof Error ? error.message : "unknown");
    }
  }

  async function open(): Promise<void> {
    const endpoint = endpoints[chosen];
    if (!endpoint) return;
    const next = await options.openFlow(settings, endpoint);
    if (isClosed) {
      next.close();
      return;
    }
    opened?.close();
    opened = next;
    options.ready();
  }

  function remember(address: string): void {
    sideAddresses.delete(address);
    sideAddresses.add(address);
    const [oldest] = sideAddresses;
    if (sideAddresses.size > MOST_SIDE_ADDRESSES && oldest !== undefined) sideAddresses.delete(oldest);
  }

  function owns(address: string): boolean {
    return endpoints.some((endpoint) => endpoint.address === address);
  }

  void look();
  return {
    flow: () => opened?.flow ?? null,
    flowFor(dialog) {
      const main = opened?.flow ?? null;
      const hop = uriInside(dialog.routeSet[0] ?? `<${dialog.remoteTarget}>`);
      if (!main || !hop) return main;
      const remote = { address: hop.host, port: hop.port ?? 5060 };
      if (remote.address === main.remote.address && remote.port === main.remote.port) return main;
      // A peer behind a NAT writes its inner address: what it says is no use to us, the way it came is.
      const isBehindNat = isPrivateAddress(remote.address) && !isPrivateAddress(main.remote.address);
      if (isBehindNat || !/^[\d.]+$|:/.test(remote.address)) return main;
      // A peer must not lead us to where it could not be itself.
      if (refusal(settings.host, remote.address) !== null) return main;
      const side = options.sideFlow(remote, main);
      if (side) remember(remote.address);
      return side ?? main;
    },
    hears: (address) => sideAddresses.has(address) || owns(address),
    owns,
    addresses: () => [...new Set(endpoints.map(({ address }) => address))],
    moveOn() {
      if (endpoints.length < 2 || cancelMoving) return;
      cancelMoving = clock.after(MOVE_EVERY_MS, () => (cancelMoving = null));
      chosen = (chosen + 1) % endpoints.length;
      void open();
    },
    reconnect: () => opened?.reconnect?.(),
    close() {
      isClosed = true;
      cancelLook();
      cancelMoving?.();
      opened?.close();
    },
  };
}
