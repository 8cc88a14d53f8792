// The hosts of one trunk (RFC 3263, section 4.3): which one is used, which rest because they failed, and who comes
// next.
import type { Clock } from "../../../core/clock.ts";
import { createHostRests } from "./host-rests.ts";
import { keyOfHost, type FoundHosts, type Host } from "./resolve.ts";

export interface HostList {
  /** Null until the first look. */
  readonly current: Host | null;
  all(): readonly Host[];
  /** Takes what a look has found. The current host stays where it is still one of them. */
  set(found: FoundHosts): void;
  /** The current host is there and answers. */
  answered(): void;
  /** Whether it has answered since it was chosen. */
  readonly hasAnswered: boolean;
  /**
   * The current host failed and rests; the next that does not rest is chosen. False, and no move, where all others
   * rest.
   */
  moveOn(restMs?: number): boolean;
  /** Every host failed: the next in turn is chosen all the same, for one of them will be the first to come back. */
  turn(): boolean;
  /** One that DNS prefers to the current one, and that does not rest. */
  better(): Host | null;
  /** It was tried beside the current one: chosen where it answered, else it rests again. */
  tried(host: Host, isThere: boolean): void;
  stop(): void;
}

/** `rested`: a host's rest is over. */
export function createHostList(clock: Clock, rested: () => void): HostList {
  let hosts: readonly Host[] = [];
  let current: Host | null = null;
  let hasAnswered = false;
  const rests = createHostRests(clock, rested);

  function choose(host: Host): void {
    current = host;
    hasAnswered = false;
  }

  /** In the order of DNS, those after the current one first among equals. */
  function others(): Host[] {
    const at = hosts.findIndex((host) => isSame(host, current));
    return [...hosts.slice(at + 1), ...hosts.slice(0, Math.max(at, 0))];
  }

  return {
    get current() {
      return current;
    },
    get hasAnswered() {
      return hasAnswered;
    },
    all: () => hosts,
    set({ hosts: found, isCertain, silentNames }) {
      // What could not be asked has not changed as far as anybody knows.
      if (!isCertain && hosts.length > 0) return;
      const kept = hosts.filter(({ name }) => silentNames.includes(name));
      hosts = [...found, ...kept].toSorted((a, b) => a.priority - b.priority);
      rests.keepOnly(hosts);
      const same = hosts.find((host) => isSame(host, current));
      const first = hosts.find(rests.isAwake) ?? hosts[0];
      if (same) current = same;
      else if (first) choose(first);
    },
    answered() {
      hasAnswered = true;
      if (current) rests.forget(current);
    },
    moveOn(restMs) {
      const awake = others().filter(rests.isAwake);
      const next = awake.toSorted((a, b) => a.priority - b.priority)[0];
      if (!current || !next) return false;
      rests.begin(current, restMs);
      choose(next);
      return true;
    },
    turn() {
      const [next] = others();
      if (!next) return false;
      choose(next);
      return true;
    },
    better() {
      const priority = current?.priority ?? 0;
      return hosts.find((host) => host.priority < priority && rests.isAwake(host)) ?? null;
    },
    tried(host, isThere) {
      if (isThere) choose(host);
      else rests.begin(host);
    },
    stop: () => rests.stop(),
  };
}

function isSame(host: Host, other: Host | null): boolean {
  return other !== null && keyOfHost(host) === keyOfHost(other);
}
