// Which UDP ports are free for media: an even one for RTP and the next for RTCP (RFC 3550, section 11).
import { monotonicMs } from "../../core/clock.ts";

/**
 * Stragglers of the call before, and a peer that has not understood yet that it ended, must not reach the next call.
 */
const REST_MS = 10_000;

export interface PortRange {
  from: number;
  to: number;
}

export interface PortPool {
  /** The RTP port that rested longest; null while all are taken or resting. */
  take(): number | null;
  release(port: number): void;
  /** One that no call had: it needs no rest. */
  putBack(port: number): void;
  /** How many calls the range can hold. */
  readonly size: number;
}

export function createPortPool({ from, to }: PortRange, nowMs: () => number = monotonicMs): PortPool {
  const first = from + (from % 2);
  const size = Math.floor((to + 1 - first) / 2);
  if (size < 1 || from < 1 || to > 65_535) {
    throw new Error(
      `The RTP port range ${from}-${to} holds no pair of ports: give at least an even port and the next.`,
    );
  }
  const free: { port: number; restedAtMs: number }[] = [];
  for (let i = 0; i < size; i++) free.push({ port: first + i * 2, restedAtMs: -Infinity });
  return {
    take() {
      const next = free[0];
      if (!next || next.restedAtMs > nowMs()) return null;
      free.shift();
      return next.port;
    },
    release(port) {
      free.push({ port, restedAtMs: nowMs() + REST_MS });
    },
    putBack: (port) => void free.unshift({ port, restedAtMs: -Infinity }),
    size,
  };
}
