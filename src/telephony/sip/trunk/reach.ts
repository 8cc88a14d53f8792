// How a trunk is reached: looks its name up, keeps a flow to one of its hosts, moves to the next when one is dead, and comes
// back to the one that DNS prefers when it answers again.
import { randomUint32 } from "../../../core/ids.ts";
import type { Clock } from "../../../core/clock.ts";
import type { TrunkRefusal } from "../../../trunks/trunk-addresses.ts";
import { canonicalAddress } from "../../../core/addresses.ts";
import { isPrivateAddress } from "./addresses.ts";
import { uriInside } from "../message/header-fields.ts";
import type { Dialog } from "../call/dialog.ts";
import type { Resolver } from "./dns.ts";
import { createHostList } from "./hosts.ts";
import { RefusedAddress, resolveTrunk, type Host } from "./resolve.ts";
import { openTrial, type Trial } from "./trial.ts";
import type { Endpoint, Flow, OpenedFlow } from "../transport/flow.ts";
import type { TrunkSettings } from "../../../trunks/trunk-settings.ts";

export interface Reach {
  /** Null until the name was looked up. */
  flow(): Flow | null;
  /**
   * Where requests of this dialog go: its first route or its peer's Contact (RFC 3261, section 12.2.1.1), else to the host
   * that it was made with.
   */
  flowFor(dialog: Dialog, madeOver?: Flow | null): Flow | null;
  hears(address: string): boolean;
  owns(address: string): boolean;
  addresses(): readonly string[];
  /** The host behind this flow answered something. */
  answered(flow: Flow): void;
  /** Whether the present host has answered anything. */
  readonly hasAnswered: boolean;
  /**
   * The host behind this flow does not answer, or says that it cannot: it rests. True where another one is used from now on,
   * or was already; `ready` follows. False where there is none that does not rest itself, and nothing changes.
   */
  moveOn(failed: Flow, restMs?: number): boolean;
  /** All hosts failed: the next one in turn; where there is but one, another connection to it, if that is wanted. */
  turn(mayReconnect: boolean): void;
  /** Tells what became of a connection that is tried beside the present one. */
  trialConnected(flow: Flow): void;
  trialFailed(flow: Flow): void;
  close(): void;
}

export interface ReachOptions {
  clock: Clock;
  settings: TrunkSettings;
  resolver: Resolver;
  refusal: TrunkRefusal;
  /** Whether our sockets can send to this address. */
  canReach: (address: string) => boolean;
  openFlow: (settings: TrunkSettings, remote: Endpoint) => Promise<OpenedFlow>;
  /** A flow to another address over the same UDP socket; null with TCP and TLS, where the connection is the way. */
  sideFlow: (remote: Endpoint, like: Flow) => Flow | null;
  ready: () => void;
  /** Back at a host that DNS prefers, whose connection stands already. */
  returned: () => void;
  /** Whether the trunk may change its host now without need. */
  mayReturn: () => boolean;
  /** Asks over this flow whether anybody is there. */
  probe: (flow: Flow, done: (isThere: boolean) => void) => void;
  looked: () => void;
  /** `isKnown`: earlier addresses are still used. */
  unresolved: (detail: string, isKnown: boolean) => void;
  /** It has an address at which no trunk may be. */
  refused: (reason: string) => void;
}

const NO_WAY = "this machine has no way to its addresses";
const LOOK_AGAIN_AFTER_FAILURE_MS = 10_000;
const RETURN_AGAIN_MS = 30_000;
/** Where every address refuses at once, they are tried in turn and not in a whirl. */
const TURN_EVERY_MS = 1_000;
/** A carrier's media cluster answers from a few addresses of its own. */
const MOST_SIDE_ADDRESSES = 64;

export function openReach(options: ReachOptions): Reach {
  const { clock, settings, refusal } = options;
  const hosts = createHostList(clock, comeBack);
  let opened: OpenedFlow | null = null;
  let isClosed = false;
  let trial: Trial | null = null;
  let openings = 0;
  /** The flow that a move has begun to leave. */
  let leaving: Flow | null = null;
  let cancelLook = () => {};
  let cancelReturn = () => {};
  let cancelTurning: (() => void) | null = null;
  const sideAddresses = new Set<string>();

  async function look(): Promise<void> {
    try {
      const found = await resolveTrunk(settings, { ...options, random: () => randomUint32() / 2 ** 32 });
      if (isClosed) return;
      const known = addresses();
      const before = hosts.current;
      hosts.set(found);
      // Calls that are under way with a host that DNS no longer names go on.
      for (const address of known) if (!owns(address)) remember(address);
      const isNew = before?.address !== hosts.current?.address || before?.port !== hosts.current?.port;
      if (!opened || isNew) await open();
      cancelLook = clock.after(found.isCertain ? found.keepMs : LOOK_AGAIN_AFTER_FAILURE_MS, () => void look());
      options.looked();
      comeBack();
    } catch (error) {
      if (isClosed) return;
      cancelLook = clock.after(LOOK_AGAIN_AFTER_FAILURE_MS, () => void look());
      if (error instanceof RefusedAddress) options.refused(error.message);
      else options.unresolved(error instanceof Error ? error.message : "unknown", hosts.current !== null);
    }
  }

  async function open(): Promise<void> {
    const host = hosts.current;
    if (!host) return;
    const opening = ++openings;
    const next = await wayTo(host);
    if (isClosed || opening !== openings) {
      next?.close();
      return;
    }
    if (next) {
      use(next);
      options.ready();
    } else if (hosts.moveOn()) await open();
    else throw new Error(NO_WAY);
  }

  /** Null where there is none at all, such as to IPv6 on a machine without. */
  async function wayTo(host: Host): Promise<OpenedFlow | null> {
    try {
      return await options.openFlow(settings, host);
    } catch {
      return null;
    }
  }

  function move(): void {
    open().catch(() => {
      if (!isClosed) options.unresolved(NO_WAY, true);
    });
  }

  function use(next: OpenedFlow): void {
    opened?.close();
    opened = next;
    leaving = null;
  }

  /** Only where no call is disturbed, and only to a host that answers. */
  function comeBack(): void {
    cancelReturn();
    const host = hosts.better();
    if (isClosed || trial || !host) return;
    if (!options.mayReturn()) {
      cancelReturn = clock.after(RETURN_AGAIN_MS, comeBack);
      return;
    }
    trial = openTrial({ ...options, host }, (tried) => {
      trial = null;
      const isThere = tried !== null && options.mayReturn() && !isClosed;
      hosts.tried(host, isThere);
      if (!tried || !isThere) {
        tried?.close();
        return;
      }
      openings += 1;
      use(tried);
      options.returned();
    });
  }

  function remember(address: string): void {
    sideAddresses.delete(address);
    sideAddresses.add(address);
    const [oldest] = sideAddresses;
    if (sideAddresses.size > MOST_SIDE_ADDRESSES && oldest !== undefined) sideAddresses.delete(oldest);
  }

  function addresses(): string[] {
    return [...new Set(hosts.all().map(({ address }) => address))];
  }

  function owns(address: string): boolean {
    return hosts.all().some((host) => host.address === address);
  }

  /** The host that a call was made with; over TCP and TLS its connection may be gone. */
  function homeOf(madeOver: Flow | null): Flow | null {
    const main = opened?.flow ?? null;
    return madeOver?.transport === "udp" && main?.transport === "udp" ? madeOver : main;
  }

  void look();
  return {
    flow: () => opened?.flow ?? null,
    flowFor(dialog, madeOver = null) {
      const home = homeOf(madeOver);
      const hop = uriInside(dialog.routeSet[0] ?? `<${dialog.remoteTarget}>`);
      if (!home || !hop) return home;
      const remote = { address: canonicalAddress(hop.host), port: hop.port ?? 5060 };
      if (remote.address === home.remote.address && remote.port === home.remote.port) return home;
      // A peer behind a NAT writes its inner address: what it says is no use to us, the way it came is.
      const isBehindNat = isPrivateAddress(remote.address) && !isPrivateAddress(home.remote.address);
      if (isBehindNat || !/^[\d.]+$|:/.test(remote.address)) return home;
      // A peer must not lead us to where it could not be itself.
      if (refusal(settings.host, remote.address) !== null || !options.canReach(remote.address)) return home;
      const side = options.sideFlow(remote, home);
      if (side) remember(remote.address);
      return side ?? home;
    },
    hears: (address) => sideAddresses.has(address) || owns(address),
    owns,
    addresses,
    answered(flow) {
      if (flow === opened?.flow) hosts.answered();
    },
    get hasAnswered() {
      return hosts.hasAnswered;
    },
    moveOn(failed, restMs) {
      // Somebody else found out before.
      if (failed !== opened?.flow || failed === leaving) return true;
      if (!hosts.moveOn(restMs)) return false;
      leaving = failed;
      move();
      return true;
    },
    turn(mayReconnect) {
      if (cancelTurning) return;
      cancelTurning = clock.after(TURN_EVERY_MS, () => (cancelTurning = null));
      if (hosts.turn()) move();
      else if (mayReconnect) opened?.reconnect?.();
    },
    trialConnected: (flow) => trial?.connected(flow),
    trialFailed: (flow) => trial?.failed(flow),
    close() {
      isClosed = true;
      cancelLook();
      cancelReturn();
      cancelTurning?.();
      hosts.stop();
      trial?.close();
      opened?.close();
    },
  };
}
