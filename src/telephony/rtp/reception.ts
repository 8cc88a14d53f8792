// Reception statistics of one source: expected and received packets, and jitter (RFC 3550, A.1, A.3 and A.8).
import { SAMPLES_PER_MS, sequenceDistance } from "./rtp.ts";

/** A jump this large is a restarted source (RFC 3550, A.1: MAX_DROPOUT). */
const RESTART_DISTANCE = 3_000;

/** Fields of an RTCP report block. */
export interface ReceptionReport {
  /** Share of packets lost since the last report, in 256ths. */
  fractionLost: number;
  cumulativeLost: number;
  extendedHighest: number;
  /** In timestamp units. */
  jitter: number;
}

export interface Reception {
  /** `timestamp` is null for packets whose timestamp does not advance with the clock, such as key events. */
  record(sequence: number, timestamp: number | null, arrivalMs: number): void;
  /** The last recorded packet was a duplicate. Reports count it as received, as the RFC requires; `lost` does not. */
  wasDuplicate(): void;
  /** Ends the interval since the last report. */
  report(): ReceptionReport;
  /** A new source; the losses of the old one stay in the totals. */
  restart(): void;
  readonly received: number;
  readonly lost: number;
  readonly expected: number;
  readonly jitterMs: number;
}

export function createReception(): Reception {
  return new SourceReception();
}

class SourceReception implements Reception {
  private isStarted = false;
  private first = 0;
  private highest = 0;
  private receivedNow = 0;
  private jitter = 0;
  private lastTransit = 0;
  private hasTransit = false;
  private priorExpected = 0;
  private priorReceived = 0;
  /** Totals of earlier sources. */
  private olderExpected = 0;
  private olderReceived = 0;
  private olderDuplicates = 0;
  /** Each hides one loss in RFC 3550's formula. */
  private duplicates = 0;

  get received(): number {
    return this.olderReceived + this.receivedNow;
  }

  get expected(): number {
    return this.olderExpected + this.expectedNow();
  }

  get lost(): number {
    const came = this.olderReceived - this.olderDuplicates + this.receivedNow - this.duplicates;
    return Math.max(0, this.expected - came);
  }

  get jitterMs(): number {
    return this.jitter / SAMPLES_PER_MS;
  }

  record(sequence: number, timestamp: number | null, arrivalMs: number): void {
    this.count(sequence);
    if (timestamp === null) return;
    const transit = (arrivalMs * SAMPLES_PER_MS - timestamp) | 0;
    if (this.hasTransit) this.jitter += (Math.abs((transit - this.lastTransit) | 0) - this.jitter) / 16;
    this.lastTransit = transit;
    this.hasTransit = true;
  }

  wasDuplicate(): void {
    this.duplicates++;
  }

  report(): ReceptionReport {
    const expected = this.expectedNow();
    const expectedInterval = expected - this.priorExpected;
    const lostInterval = expectedInterval - (this.receivedNow - this.priorReceived);
    this.priorExpected = expected;
    this.priorReceived = this.receivedNow;
    const isLossy = expectedInterval > 0 && lostInterval > 0;
    return {
      fractionLost: isLossy ? Math.min(255, Math.floor((lostInterval * 256) / expectedInterval)) : 0,
      cumulativeLost: expected - this.receivedNow,
      extendedHighest: this.highest >>> 0,
      jitter: Math.round(this.jitter),
    };
  }

  restart(): void {
    this.olderExpected += Math.max(this.expectedNow(), this.receivedNow - this.duplicates);
    this.olderReceived += this.receivedNow;
    this.olderDuplicates += this.duplicates;
    this.duplicates = 0;
    this.isStarted = false;
    this.hasTransit = false;
    this.receivedNow = 0;
    this.jitter = 0;
    this.priorExpected = 0;
    this.priorReceived = 0;
  }

  private expectedNow(): number {
    return this.isStarted ? this.highest - this.first + 1 : 0;
  }

  private count(sequence: number): void {
    const distance = sequenceDistance(sequence, this.highest & 0xffff);
    if (this.isStarted && Math.abs(distance) > RESTART_DISTANCE) this.restart();
    if (!this.isStarted) {
      this.isStarted = true;
      this.first = sequence;
      this.highest = sequence;
    } else if (distance > 0) {
      this.highest += distance; // grows past 16 bits: the extended sequence number
    }
    this.receivedNow++;
  }
}
