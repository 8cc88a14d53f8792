// Reachability of a trunk: resolves its name, keeps a flow to one of its hosts, fails over when a host is dead, and
// returns to the host that DNS prefers when it responds again.
import { randomUint32 } from "../../../core/ids.ts";
import type { Clock } from "../../../core/clock.ts";
import type { TrunkRefusal } from "../../../trunks/trunk-addresses.ts";
import { canonicalAddress } from "../../../net/addresses.ts";
import { isPrivateAddress } from "../transport/addresses.ts";
import { uriInside } from "../message/header-fields.ts";
import type { Resolver } from "./dns.ts";
import { createHostList, type HostList } from "./hosts.ts";
import { RefusedAddress, resolveTrunk, type FoundHosts, type Host } from "./resolve.ts";
import { SideAddresses } from "./side-addresses.ts";
import { openTrial, type Trial } from "./trial.ts";
import type { Endpoint, Flow, OpenedFlow } from "../transport/flow.ts";
import type { TrunkSettings } from "../../../trunks/trunk-settings.ts";

/** The part of a dialog that determines the destination of its requests. */
export interface DialogRoute {
  /** The peer's Contact. */
  readonly remoteTarget: string;
  readonly routeSet: readonly string[];
}

export interface Reach {
  /** Null until the name is resolved. */
  flow(): Flow | null;
  /**
   * Destination of requests in this dialog: its first route or the peer's Contact (RFC 3261, section 12.2.1.1),
   * otherwise the host that the dialog was created with.
   */
  flowFor(dialog: DialogRoute, madeOver?: Flow | null): Flow | null;
  hears(address: string): boolean;
  owns(address: string): boolean;
  addresses(): readonly string[];
  /** The host behind this flow responded. */
  answered(flow: Flow): void;
  /** Whether the current host has responded. */
  readonly hasAnswered: boolean;
  /**
   * The host behind this flow does not respond, or reports that it is unavailable: it enters backoff. True if another
   * host is used from now on, or already was; `ready` follows. False, without a change, if all others are in backoff.
   */
  moveOn(failed: Flow, restMs?: number): boolean;
  /** All hosts failed: selects the next one in turn. With a single host, reconnects to it if `mayReconnect`. */
  turn(mayReconnect: boolean): void;
  /** Reports the outcome of a connection that is tried beside the current one. */
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
  /** A flow to another address over the same UDP socket; null for TCP and TLS, which use the connection. */
  sideFlow: (remote: Endpoint, like: Flow) => Flow | null;
  ready: () => void;
  /** Returned to a host that DNS prefers, with its connection already established. */
  returned: () => void;
  /** Whether the trunk may switch hosts now without need. */
  mayReturn: () => boolean;
  /** Checks over this flow whether the host responds. */
  probe: (flow: Flow, done: (isThere: boolean) => void) => void;
  looked: () => void;
  /** `isKnown`: earlier addresses are still used. */
  unresolved: (detail: string, isKnown: boolean) => void;
  /** The name resolved to a refused address. */
  refused: (reason: string) => void;
}

const NO_WAY = "this machine has no way to its addresses";
const LOOK_AGAIN_AFTER_FAILURE_MS = 10_000;
const RETURN_AGAIN_MS = 30_000;
/** Rate limit: if every address refuses at once, they are tried in turn without a busy loop. */
const TURN_EVERY_MS = 1_000;
export function openReach(options: ReachOptions): Reach {
  return new ReachOfHosts(options);
}

class ReachOfHosts implements Reach {
  readonly #options: ReachOptions;
  readonly #hosts: HostList;
  readonly #sideAddresses = new SideAddresses();
  #opened: OpenedFlow | null = null;
  #isClosed = false;
  #trial: Trial | null = null;
  #openings = 0;
  /** The flow that a failover in progress is leaving. */
  #leaving: Flow | null = null;
  #cancelLook = () => {};
  #cancelReturn = () => {};
  #cancelTurning: (() => void) | null = null;

  constructor(options: ReachOptions) {
    this.#options = options;
    this.#hosts = createHostList(options.clock, () => this.#comeBack());
    void this.#look();
  }

  get hasAnswered(): boolean {
    return this.#hosts.hasAnswered;
  }

  flow(): Flow | null {
    return this.#opened?.flow ?? null;
  }

  flowFor(dialog: DialogRoute, madeOver: Flow | null = null): Flow | null {
    const home = this.#homeOf(madeOver);
    const hop = uriInside(dialog.routeSet[0] ?? `<${dialog.remoteTarget}>`);
    if (!home || !hop) return home;
    const remote = { address: canonicalAddress(hop.host), port: hop.port ?? 5060 };
    if (remote.address === home.remote.address && remote.port === home.remote.port) return home;
    if (!isUsableHop(remote, home) || !this.#mayGoTo(remote)) return home;
    const side = this.#options.sideFlow(remote, home);
    if (side) this.#sideAddresses.add(remote.address);
    return side ?? home;
  }

  hears(address: string): boolean {
    return this.#sideAddresses.has(address) || this.owns(address);
  }

  owns(address: string): boolean {
    return this.#hosts.all().some((host) => host.address === address);
  }

  addresses(): readonly string[] {
    return [...new Set(this.#hosts.all().map(({ address }) => address))];
  }

  answered(flow: Flow): void {
    if (flow === this.flow()) this.#hosts.answered();
  }

  moveOn(failed: Flow, restMs?: number): boolean {
    // Another request has already triggered the failover.
    if (failed !== this.flow() || failed === this.#leaving) return true;
    if (!this.#hosts.moveOn(restMs)) return false;
    this.#leaving = failed;
    this.#move();
    return true;
  }

  turn(mayReconnect: boolean): void {
    if (this.#cancelTurning) return;
    this.#cancelTurning = this.#options.clock.after(TURN_EVERY_MS, () => (this.#cancelTurning = null));
    if (this.#hosts.turn()) this.#move();
    else if (mayReconnect) this.#opened?.reconnect?.();
  }

  trialConnected(flow: Flow): void {
    this.#trial?.connected(flow);
  }

  trialFailed(flow: Flow): void {
    this.#trial?.failed(flow);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelLook();
    this.#cancelReturn();
    this.#cancelTurning?.();
    this.#hosts.stop();
    this.#trial?.close();
    this.#opened?.close();
  }

  async #look(): Promise<void> {
    const { settings, looked, refused, unresolved } = this.#options;
    try {
      const found = await resolveTrunk(settings, { ...this.#options, random: () => randomUint32() / 2 ** 32 });
      if (this.#isClosed) return;
      await this.#take(found);
      this.#lookAgain(found.isCertain ? found.keepMs : LOOK_AGAIN_AFTER_FAILURE_MS);
      looked();
      this.#comeBack();
    } catch (error) {
      if (this.#isClosed) return;
      this.#lookAgain(LOOK_AGAIN_AFTER_FAILURE_MS);
      if (error instanceof RefusedAddress) refused(error.message);
      else unresolved(error instanceof Error ? error.message : "unknown", this.#hosts.current !== null);
    }
  }

  #lookAgain(afterMs: number): void {
    this.#cancelLook = this.#options.clock.after(afterMs, () => void this.#look());
  }

  async #take(found: FoundHosts): Promise<void> {
    const known = this.addresses();
    const before = this.#hosts.current;
    this.#hosts.set(found);
    // Active calls with a host that DNS no longer lists continue.
    for (const address of known) if (!this.owns(address)) this.#sideAddresses.add(address);
    const now = this.#hosts.current;
    const isNew = before?.address !== now?.address || before?.port !== now?.port;
    if (!this.#opened || isNew) await this.#open();
  }

  async #open(): Promise<void> {
    const host = this.#hosts.current;
    if (!host) return;
    const opening = ++this.#openings;
    const next = await this.#wayTo(host);
    if (this.#isClosed || opening !== this.#openings) {
      next?.close();
      return;
    }
    if (next) {
      this.#use(next);
      this.#options.ready();
    } else if (this.#hosts.moveOn()) await this.#open();
    else throw new Error(NO_WAY);
  }

  /** Null if there is no route, such as to IPv6 on a machine without IPv6. */
  async #wayTo(host: Host): Promise<OpenedFlow | null> {
    try {
      return await this.#options.openFlow(this.#options.settings, host);
    } catch {
      return null;
    }
  }

  #move(): void {
    this.#open().catch(() => {
      if (!this.#isClosed) this.#options.unresolved(NO_WAY, true);
    });
  }

  #use(next: OpenedFlow): void {
    this.#opened?.close();
    this.#opened = next;
    this.#leaving = null;
  }

  /** Only if no call is disturbed, and only to a host that responds. */
  #comeBack(): void {
    const { clock, mayReturn } = this.#options;
    this.#cancelReturn();
    const host = this.#hosts.better();
    if (this.#isClosed || this.#trial || !host) return;
    if (!mayReturn()) {
      this.#cancelReturn = clock.after(RETURN_AGAIN_MS, () => this.#comeBack());
      return;
    }
    this.#trial = openTrial({ ...this.#options, host }, (tried) => {
      this.#trial = null;
      const isThere = tried !== null && mayReturn() && !this.#isClosed;
      this.#hosts.tried(host, isThere);
      if (!tried || !isThere) {
        tried?.close();
        return;
      }
      this.#openings += 1;
      this.#use(tried);
      this.#options.returned();
    });
  }

  /** The host that a call was created with; over TCP and TLS its connection may be gone. */
  #homeOf(madeOver: Flow | null): Flow | null {
    const main = this.flow();
    return madeOver?.transport === "udp" && main?.transport === "udp" ? madeOver : main;
  }

  /** A peer must not direct us to an address that a trunk may not use. */
  #mayGoTo({ address }: Endpoint): boolean {
    const { settings, refusal, canReach } = this.#options;
    return refusal(settings.host, address) === null && canReach(address);
  }
}

/**
 * A peer behind a NAT announces its private address, which is useless to us; the source address is used instead. Host
 * names are not usable either.
 */
function isUsableHop({ address }: Endpoint, home: Flow): boolean {
  const isBehindNat = isPrivateAddress(address) && !isPrivateAddress(home.remote.address);
  return !isBehindNat && /^[\d.]+$|:/.test(address);
}
