// Keys pressed by the caller, from telephone-event packets (RFC 4733): each event is sent many times and told once.
import { SAMPLES_PER_MS, timestampDistance } from "./rtp.ts";

export const DTMF_DIGITS = "0123456789*#ABCD";
const EVENT_BYTES = 4;

export interface DtmfReceiver {
  /** The digit where this packet is the first we see of its event, otherwise null. */
  receive(timestamp: number, bytes: Uint8Array, start: number, end: number): string | null;
  /** A new source begins to send: its timestamps have nothing to do with the old ones. */
  reset(): void;
}

export function createDtmfReceiver(): DtmfReceiver {
  let lastEvent = -1;
  let lastTimestamp = 0;
  let lastDuration = 0;
  let lastEnded = true;

  return {
    receive(timestamp, bytes, start, end) {
      if (end - start < EVENT_BYTES) return null;
      const event = bytes[start] ?? 0;
      const digit = DTMF_DIGITS[event];
      if (digit === undefined) return null;
      const isEnd = ((bytes[start + 1] ?? 0) & 0x80) !== 0;
      const duration = ((bytes[start + 2] ?? 0) << 8) | (bytes[start + 3] ?? 0);

      const sinceLast = timestampDistance(timestamp, lastTimestamp);
      if (lastEvent !== -1 && sinceLast < 0 && sinceLast > -OLD_SAMPLES) return null; // reordered behind a newer event
      const isSame = lastEvent === event && sinceLast === 0;
      // A key held for over 8 s overflows the duration and goes on as a new segment (section 2.5.1.3).
      const isNextSegment = lastEvent === event && !lastEnded && sinceLast > 0 && sinceLast === lastDuration;

      lastEnded = isEnd || (isSame && lastEnded);
      lastDuration = isSame ? Math.max(lastDuration, duration) : duration;
      lastEvent = event;
      lastTimestamp = timestamp;
      return isSame || isNextSegment ? null : digit;
    },
    reset() {
      lastEvent = -1;
    },
  };
}

/** A packet that comes back from further than this is a source that started over, not one out of order. */
const OLD_SAMPLES = 2_000 * SAMPLES_PER_MS;
