// How a trunk is reached: looks its name up, keeps a flow to one of its hosts, moves to the next when one is dead, and
// comes back to the one that DNS prefers when it answers again.
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

/** The part of a dialog that says where its requests go. */
export interface DialogRoute {
  /** The peer's Contact. */
  readonly remoteTarget: string;
  readonly routeSet: readonly string[];
}

export interface Reach {
  /** Null until the name was looked up. */
  flow(): Flow | null;
  /**
   * Where requests of this dialog go: its first route or its peer's Contact (RFC 3261, section 12.2.1.1), else to the
   * host that it was made with.
   */
  flowFor(dialog: DialogRoute, madeOver?: Flow | null): Flow | null;
  hears(address: string): boolean;
  owns(address: string): boolean;
  addresses(): readonly string[];
  /** The host behind this flow answered something. */
  answered(flow: Flow): void;
  /** Whether the present host has answered anything. */
  readonly hasAnswered: boolean;
  /**
   * The host behind this flow does not answer, or says that it cannot: it rests. True where another one is used from
   * now on, or was already; `ready` follows. False where there is none that does not rest itself, and nothing changes.
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
  /** The flow that a move has begun to leave. */
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
    // Somebody else found out before.
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
    // Calls that are under way with a host that DNS no longer names go on.
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

  /** Null where there is none at all, such as to IPv6 on a machine without. */
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

  /** Only where no call is disturbed, and only to a host that answers. */
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

  /** The host that a call was made with; over TCP and TLS its connection may be gone. */
  #homeOf(madeOver: Flow | null): Flow | null {
    const main = this.flow();
    return madeOver?.transport === "udp" && main?.transport === "udp" ? madeOver : main;
  }

  /** A peer must not lead us to where it could not be itself. */
  #mayGoTo({ address }: Endpoint): boolean {
    const { settings, refusal, canReach } = this.#options;
    return refusal(settings.host, address) === null && canReach(address);
  }
}

/** A peer behind a NAT writes its inner address: what it says is no use to us, the way it came is. Nor is a name. */
function isUsableHop({ address }: Endpoint, home: Flow): boolean {
  const isBehindNat = isPrivateAddress(address) && !isPrivateAddress(home.remote.address);
  return !isBehindNat && /^[\d.]+$|:/.test(address);
}
