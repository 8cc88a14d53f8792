// Receives DTMF as telephone-event packets (RFC 4733): each event arrives in many packets and is reported once.
import { SAMPLES_PER_MS, timestampDistance } from "./rtp.ts";

export const DTMF_DIGITS = "0123456789*#ABCD";
const EVENT_BYTES = 4;

export interface DtmfReceiver {
  /** The digit if this is the first packet of its event, otherwise null. */
  receive(timestamp: number, bytes: Uint8Array, start: number, end: number): string | null;
  /** A new source starts: its timestamps are unrelated to the old ones. */
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
      // A key held for over 8 s overflows the duration and continues as a new segment (section 2.5.1.3).
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

/** A timestamp further back than this is a restarted source, not a reordered packet. */
const OLD_SAMPLES = 2_000 * SAMPLES_PER_MS;
