// The hosts of one trunk (RFC 3263, section 4.3): which one is used, which rest because they failed, and who comes next.
import type { Clock } from "../../../core/clock.ts";
import type { FoundHosts, Host } from "./resolve.ts";

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
  /** The current host failed and rests; the next that does not rest is chosen. False, and no move, where all others rest. */
  moveOn(restMs?: number): boolean;
  /** Every host failed: the next in turn is chosen all the same, for one of them will be the first to come back. */
  turn(): boolean;
  /** One that DNS prefers to the current one, and that does not rest. */
  better(): Host | null;
  /** It was tried beside the current one: chosen where it answered, else it rests again. */
  tried(host: Host, isThere: boolean): void;
  stop(): void;
}

interface Rest {
  cancel: () => void;
}

const FIRST_REST_MS = 30_000;
const LONGEST_REST_MS = 300_000;
const SHORTEST_REST_MS = 5_000;

/** `rested`: a host's rest is over. */
export function createHostList(clock: Clock, rested: () => void): HostList {
  let hosts: readonly Host[] = [];
  let current: Host | null = null;
  let hasAnswered = false;
  const resting = new Map<string, Rest>();
  /** How long each rests when it fails the next time: twice as long as the last, until it answers. */
  const nextRestMs = new Map<string, number>();

  function choose(host: Host): void {
    current = host;
    hasAnswered = false;
  }

  function rest(host: Host, wantedMs?: number): void {
    const key = keyOf(host);
    const ownMs = nextRestMs.get(key) ?? FIRST_REST_MS;
    const restMs = Math.min(Math.max(wantedMs ?? ownMs, SHORTEST_REST_MS), LONGEST_REST_MS);
    nextRestMs.set(key, Math.min(ownMs * 2, LONGEST_REST_MS));
    resting.get(key)?.cancel();
    // Woken by a timer, not by the wall clock, which somebody may set.
    const cancel = clock.after(restMs, () => {
      resting.delete(key);
      rested();
    });
    resting.set(key, { cancel });
  }

  /** In the order of DNS, those after the current one first among equals. */
  function others(): Host[] {
    const at = hosts.findIndex((host) => isSame(host, current));
    return [...hosts.slice(at + 1), ...hosts.slice(0, Math.max(at, 0))];
  }

  const isAwake = (host: Host) => !resting.has(keyOf(host));

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
      for (const key of nextRestMs.keys()) {
        if (hosts.some((host) => keyOf(host) === key)) continue;
        nextRestMs.delete(key);
        resting.get(key)?.cancel();
        resting.delete(key);
      }
      const same = hosts.find((host) => isSame(host, current));
      const first = hosts.find(isAwake) ?? hosts[0];
      if (same) current = same;
      else if (first) choose(first);
    },
    answered() {
      hasAnswered = true;
      if (!current) return;
      const key = keyOf(current);
      nextRestMs.delete(key);
      resting.get(key)?.cancel();
      resting.delete(key);
    },
    moveOn(restMs) {
      const awake = others().filter(isAwake);
      const next = awake.toSorted((a, b) => a.priority - b.priority)[0];
      if (!current || !next) return false;
      rest(current, restMs);
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
      return hosts.find((host) => host.priority < priority && isAwake(host)) ?? null;
    },
    tried(host, isThere) {
      if (isThere) choose(host);
      else rest(host);
    },
    stop() {
      for (const { cancel } of resting.values()) cancel();
      resting.clear();
    },
  };
}

function keyOf({ address, port }: Host): string {
  return `${address} ${port}`;
}

function isSame(host: Host, other: Host | null): boolean {
  return other !== null && keyOf(host) === keyOf(other);
}
