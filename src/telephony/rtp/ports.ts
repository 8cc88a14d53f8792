// Pool of UDP ports for media: an even port for RTP and the next for RTCP (RFC 3550, section 11).
import { monotonicMs } from "../../core/clock.ts";

/**
 * Cool-down of a port: late packets of the previous call, or of a peer that missed its end, must not reach the next
 * call.
 */
const REST_MS = 10_000;

export interface PortRange {
  from: number;
  to: number;
}

export interface PortPool {
  /** The RTP port that was released first; null while all are in use or cooling down. */
  take(): number | null;
  release(port: number): void;
  /** Returns a port that no call has used: it needs no cool-down. */
  putBack(port: number): void;
  /** Number of calls that fit into the range. */
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
