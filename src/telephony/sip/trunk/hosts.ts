// The hosts of one trunk (RFC 3263, section 4.3): the current one, those in backoff, and the failover order.
import type { Clock } from "../../../core/clock.ts";
import { createHostRests } from "./host-rests.ts";
import { keyOfHost, type FoundHosts, type Host } from "./resolve.ts";

export interface HostList {
  /** Null until the first lookup. */
  readonly current: Host | null;
  all(): readonly Host[];
  /** Applies the result of a lookup. The current host stays if it is still listed. */
  set(found: FoundHosts): void;
  /** The current host responded. */
  answered(): void;
  /** Whether it has responded since it was selected. */
  readonly hasAnswered: boolean;
  /**
   * The current host failed and enters backoff; the next host that is not in backoff is selected. False, without a
   * change, if all others are in backoff.
   */
  moveOn(restMs?: number): boolean;
  /** Every host failed: selects the next one in turn anyway, since one of them will be the first to recover. */
  turn(): boolean;
  /** A host that DNS prefers over the current one, and that is not in backoff. */
  better(): Host | null;
  /** Result of a trial beside the current host: selected if it responded, otherwise in backoff again. */
  tried(host: Host, isThere: boolean): void;
  stop(): void;
}

/** `rested`: called when a host's backoff ends. */
export function createHostList(clock: Clock, rested: () => void): HostList {
  let hosts: readonly Host[] = [];
  let current: Host | null = null;
  let hasAnswered = false;
  const rests = createHostRests(clock, rested);

  function choose(host: Host): void {
    current = host;
    hasAnswered = false;
  }

  /** In DNS order, starting after the current host. */
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
      // After a failed lookup the known hosts stay.
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
