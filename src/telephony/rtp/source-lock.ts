// Source lock: which address a call receives from and sends to. A source can confirm appointments and hear about them,
// so the first packet is not trusted. Only the address in the peer's SDP, or the trunk's own machine at the named port,
// is accepted, and we send to the named address only. Neither works behind a NAT: with symmetric RTP the call follows
// the first source in the trunk's own networks within two seconds of the answer. A source with a stronger claim takes
// over at any time.
import { CLAIM, claimsOn, sourceAddress, type Claim, type ExpectedSource } from "./rightful-source.ts";
import { sequenceDistance } from "./rtp.ts";

/** Consecutive packets that establish a new stream; a single one may be left over from an older call. */
const PROOF_PACKETS = 2;
/** How long after the answer, or after a new SDP, an address behind a NAT is learned. */
const LEARNING_MS = 2_000;
/** A stream received within this time has not ended: a second one beside it is forged. */
const STREAM_ENDED_MS = 100;
/** After this much silence, another valid address may take over. */
const SOURCE_GONE_MS = 2_000;
/** RFC 3550, A.1: a sequence number further off is a restarted stream, once a second packet confirms it. */
const MOST_SEQUENCE_JUMP = 3_000;

export type Judgement = "accepted" | "new_source" | "ignored";

export interface RtpAddress {
  address: string;
  port: number;
}

export interface SourceLock {
  /** Called with the peer's SDP. A changed address discards the learned source. */
  expect(source: ExpectedSource, nowMs: number): void;
  answered(nowMs: number): void;
  /** Whether a packet from there can be the peer's at all: checked before decryption. */
  mayCome(address: string, port: number): boolean;
  judge(address: string, port: number, ssrc: number, sequence: number, nowMs: number): Judgement;
  /** Whether a report comes from the peer; RTCP uses its own port. */
  isPeersReport(address: string, port: number, ssrc: number): boolean;
  /** Destination; null before SDP. */
  readonly target: RtpAddress | null;
  readonly ssrc: number | null;
}

interface Stream extends RtpAddress {
  ssrc: number;
}

interface Locked extends Stream {
  claim: Claim;
  lastSequence: number;
  lastHeardMs: number;
}

export function createSourceLock(): SourceLock {
  return new RightfulSource();
}

class RightfulSource implements SourceLock {
  private expected: ExpectedSource | null = null;
  private claimOf: (address: string, port: number) => Claim = () => CLAIM.none;
  private isAnswered = false;
  private learningUntilMs = -Infinity;
  private locked: Locked | null = null;
  private readonly candidate = new Candidate();

  get target(): RtpAddress | null {
    return this.expected?.symmetricRtp ? (this.locked ?? this.expected) : this.expected;
  }

  get ssrc(): number | null {
    return this.locked?.ssrc ?? null;
  }

  expect(source: ExpectedSource, nowMs: number): void {
    const { port, symmetricRtp } = source;
    const address = sourceAddress(source.address);
    const isSame = isAt(this.expected, address, port) && this.expected?.symmetricRtp === symmetricRtp;
    this.expected = { ...source, address };
    this.claimOf = claimsOn(this.expected);
    if (isSame) return;
    this.locked = null;
    this.candidate.forget();
    this.learningUntilMs = nowMs + LEARNING_MS;
  }

  answered(nowMs: number): void {
    if (this.isAnswered) return;
    this.isAnswered = true;
    this.learningUntilMs = nowMs + LEARNING_MS;
  }

  mayCome(rawAddress: string, port: number): boolean {
    if (isAt(this.locked, rawAddress, port)) return true;
    const address = sourceAddress(rawAddress);
    return isAt(this.locked, address, port) || this.claimOf(address, port) !== CLAIM.none;
  }

  judge(rawAddress: string, port: number, ssrc: number, sequence: number, nowMs: number): Judgement {
    if (!this.expected) return "ignored";
    const { locked, candidate } = this;
    const address = rawAddress === locked?.address ? rawAddress : sourceAddress(rawAddress);
    if (locked && isStream(locked, address, port, ssrc, sequence)) {
      candidate.forget();
      if (sequenceDistance(sequence, locked.lastSequence) > 0) locked.lastSequence = sequence;
      locked.lastHeardMs = nowMs;
      return "accepted";
    }
    const claim = this.claimOf(address, port);
    // Counted before the takeover check: a continuing stream is accepted as soon as the old one has ended.
    const packets = claim === CLAIM.none ? 0 : candidate.count(address, port, ssrc, sequence);
    const needed = !locked && claim === CLAIM.named ? 1 : PROOF_PACKETS;
    if (packets < needed || !this.mayTakeOver(address, port, claim, nowMs)) return "ignored";
    this.locked = { address, port, ssrc, claim, lastSequence: sequence, lastHeardMs: nowMs };
    candidate.forget();
    return "new_source";
  }

  isPeersReport(rawAddress: string, port: number, ssrc: number): boolean {
    const { locked } = this;
    const source = locked ?? this.expected;
    if (!source || sourceAddress(rawAddress) !== source.address) return false;
    if (locked && locked.ssrc !== ssrc) return false;
    // RFC 3550, section 11: the next port, or the same if multiplexed. Behind a NAT any port is possible.
    const isByNat = locked !== null && locked.claim < CLAIM.trunk;
    return isByNat || port === source.port + 1 || port === source.port;
  }

  /** Whether this address may become the source now, provided that enough of its packets arrive. */
  private mayTakeOver(address: string, port: number, claim: Claim, nowMs: number): boolean {
    const { locked } = this;
    if (claim === CLAIM.none) return false;
    const isByNat = claim < CLAIM.trunk;
    if (isByNat && !this.isAnswered) return false;
    if (!locked) return !isByNat || nowMs < this.learningUntilMs;
    if (isAt(locked, address, port)) return nowMs - locked.lastHeardMs >= STREAM_ENDED_MS;
    if (claim > locked.claim) return true;
    return !isByNat && nowMs - locked.lastHeardMs >= SOURCE_GONE_MS;
  }
}

/** A stream other than the locked one, with its count of consecutive packets. */
class Candidate {
  private stream: Stream | null = null;
  private sequence = 0;
  private packets = 0;

  /** Consecutive packets, including this one. */
  count(address: string, port: number, ssrc: number, sequence: number): number {
    const isSame = this.stream?.ssrc === ssrc && isAt(this.stream, address, port);
    const isNext = isSame && sequenceDistance(sequence, this.sequence) === 1;
    if (!isSame) this.stream = { address, port, ssrc };
    this.packets = isNext ? this.packets + 1 : 1;
    this.sequence = sequence;
    return this.packets;
  }

  forget(): void {
    if (this.stream) this.stream = null;
  }
}

function isAt(known: RtpAddress | null, address: string, port: number): boolean {
  return known !== null && known.port === port && known.address === address;
}

function isStream(locked: Locked, address: string, port: number, ssrc: number, sequence: number): boolean {
  if (locked.ssrc !== ssrc || !isAt(locked, address, port)) return false;
  return Math.abs(sequenceDistance(sequence, locked.lastSequence)) <= MOST_SEQUENCE_JUMP;
}
