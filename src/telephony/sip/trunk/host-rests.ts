// Backoff of a trunk's failed hosts: doubles each time, until one responds.
import type { Clock } from "../../../core/clock.ts";
import { keyOfHost, type Host } from "./resolve.ts";

export interface HostRests {
  isAwake(host: Host): boolean;
  /** `wantedMs`: the time that the host asked for. */
  begin(host: Host, wantedMs?: number): void;
  /** The host responded: its backoff ends and is reset. */
  forget(host: Host): void;
  /** Drops all other hosts, which no longer belong to the trunk. */
  keepOnly(hosts: readonly Host[]): void;
  stop(): void;
}

const FIRST_REST_MS = 30_000;
const LONGEST_REST_MS = 300_000;
const SHORTEST_REST_MS = 5_000;

/** `over`: called when a host's backoff ends. */
export function createHostRests(clock: Clock, over: () => void): HostRests {
  const cancelByHost = new Map<string, () => void>();
  const nextRestMs = new Map<string, number>();

  function forget(key: string): void {
    nextRestMs.delete(key);
    cancelByHost.get(key)?.();
    cancelByHost.delete(key);
  }

  return {
    isAwake: (host) => !cancelByHost.has(keyOfHost(host)),
    begin(host, wantedMs) {
      const key = keyOfHost(host);
      const ownMs = nextRestMs.get(key) ?? FIRST_REST_MS;
      const restMs = Math.min(Math.max(wantedMs ?? ownMs, SHORTEST_REST_MS), LONGEST_REST_MS);
      nextRestMs.set(key, Math.min(ownMs * 2, LONGEST_REST_MS));
      cancelByHost.get(key)?.();
      // Uses a timer, not the wall clock, which may be changed.
      const cancel = clock.after(restMs, () => {
        cancelByHost.delete(key);
        over();
      });
      cancelByHost.set(key, cancel);
    },
    forget: (host) => forget(keyOfHost(host)),
    keepOnly(hosts) {
      const kept = new Set(hosts.map(keyOfHost));
      for (const key of nextRestMs.keys()) if (!kept.has(key)) forget(key);
    },
    stop() {
      for (const cancel of cancelByHost.values()) cancel();
      cancelByHost.clear();
    },
  };
}
