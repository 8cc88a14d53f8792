// How well one source is received: what was expected, what came, and the jitter between (RFC 3550, A.1, A.3 and A.8).
import { SAMPLES_PER_MS, sequenceDistance } from "./rtp.ts";

/** A jump this large is a source that started over (RFC 3550, A.1: MAX_DROPOUT). */
const RESTART_DISTANCE = 3_000;

/** What a receiver report says of a source, as the RTCP block wants it. */
export interface ReceptionReport {
  /** Share of packets lost since the last report, in 256ths. */
  fractionLost: number;
  cumulativeLost: number;
  extendedHighest: number;
  /** In timestamp units. */
  jitter: number;
}

export interface Reception {
  /** `timestamp` is null for packets whose time does not advance with the sender's clock, such as key events. */
  record(sequence: number, timestamp: number | null, arrivalMs: number): void;
  /** The packet that was recorded last was a copy. Reports count it as received, as the RFC asks; `lost` does not. */
  wasDuplicate(): void;
  /** Closes the interval since the last report. */
  report(): ReceptionReport;
  /** A new source; what the old one lost stays in the totals. */
  restart(): void;
  readonly received: number;
  readonly lost: number;
  readonly expected: number;
  readonly jitterMs: number;
}

export function createReception(): Reception {
  let isStarted = false;
  let first = 0;
  let highest = 0;
  let received = 0;
  let jitter = 0;
  let lastTransit = 0;
  let hasTransit = false;
  let priorExpected = 0;
  let priorReceived = 0;
  /** Totals of sources that came before. */
  let olderExpected = 0;
  let olderReceived = 0;
  let olderDuplicates = 0;
  /** Each hides a loss in RFC 3550's sum. */
  let duplicates = 0;

  const expectedNow = () => (isStarted ? highest - first + 1 : 0);

  function restart(): void {
    olderExpected += Math.max(expectedNow(), received - duplicates);
    olderReceived += received;
    olderDuplicates += duplicates;
    duplicates = 0;
    isStarted = false;
    hasTransit = false;
    received = 0;
    jitter = 0;
    priorExpected = 0;
    priorReceived = 0;
  }

  function count(sequence: number): void {
    const distance = sequenceDistance(sequence, highest & 0xffff);
    if (isStarted && Math.abs(distance) > RESTART_DISTANCE) restart();
    if (!isStarted) {
      isStarted = true;
      first = sequence;
      highest = sequence;
    } else if (distance > 0) {
      highest += distance; // grows past 16 bits: the extended sequence number
    }
    received++;
  }

  return {
    record(sequence, timestamp, arrivalMs) {
      count(sequence);
      if (timestamp === null) return;
      const transit = (arrivalMs * SAMPLES_PER_MS - timestamp) | 0;
      if (hasTransit) jitter += (Math.abs((transit - lastTransit) | 0) - jitter) / 16;
      lastTransit = transit;
      hasTransit = true;
    },
    wasDuplicate: () => void duplicates++,
    report() {
      const expected = expectedNow();
      const expectedInterval = expected - priorExpected;
      const lostInterval = expectedInterval - (received - priorReceived);
      priorExpected = expected;
      priorReceived = received;
      const isLossy = expectedInterval > 0 && lostInterval > 0;
      return {
        fractionLost: isLossy ? Math.min(255, Math.floor((lostInterval * 256) / expectedInterval)) : 0,
        cumulativeLost: expected - received,
        extendedHighest: highest >>> 0,
        jitter: Math.round(jitter),
      };
    },
    restart,
    get received() {
      return olderReceived + received;
    },
    get expected() {
      return olderExpected + expectedNow();
    },
    get lost() {
      const came = olderReceived - olderDuplicates + received - duplicates;
      return Math.max(0, olderExpected + expectedNow() - came);
    },
    get jitterMs() {
      return jitter / SAMPLES_PER_MS;
    },
  };
}
