// Whom we listen to and send to. SDP says where the peer should be; behind a NAT it is elsewhere, so we follow the first
// source that sends (symmetric RTP) and then hold on to it, or anybody could speak into a call by guessing its port.
import { sequenceDistance } from "./rtp.ts";

/** Packets in sequence that a source must send before we believe it, by how unlikely it is. */
const PROOF_SAME_ADDRESS = 2;
const PROOF_ELSEWHERE = 3;
/** A source heard within this time has not moved; a new one is a stranger. */
const STILL_THERE_MS = 500;
/** A different stream from another port of the expected machine is believed only after this long a silence. */
const GONE_MS = 2_000;

export type Judgement = "accepted" | "new_source" | "ignored";

export interface SourceLock {
  /** The address in the peer's SDP. Unless it is the same as before, what was learned is forgotten. */
  expect(address: string, port: number): void;
  judge(address: string, port: number, ssrc: number, sequence: number, nowMs: number): Judgement;
  /** Where to send: the learned source, before that the expected one, null before SDP. */
  readonly target: { address: string; port: number } | null;
  readonly ssrc: number | null;
}

interface Source {
  address: string;
  port: number;
  ssrc: number;
}

export function createSourceLock(): SourceLock {
  let expected: { address: string; port: number } | null = null;
  let locked: Source | null = null;
  let lastHeardMs = 0;
  let candidate: Source | null = null;
  let candidateSequence = 0;
  let candidatePackets = 0;

  /** How many packets in sequence make this source ours; Infinity for never. */
  function proofNeeded(address: string, port: number, ssrc: number, nowMs: number): number {
    const isExpectedMachine = expected !== null && address === expected.address;
    if (!locked) return isExpectedMachine ? 1 : PROOF_ELSEWHERE;
    if (address === locked.address && port === locked.port) return PROOF_SAME_ADDRESS;
    // Whoever got in first from elsewhere gives way to the address that the signalling named.
    const isExpectedSource = isExpectedMachine && port === expected?.port;
    if (isExpectedSource && locked.address !== expected?.address) return PROOF_SAME_ADDRESS;
    const quietMs = nowMs - lastHeardMs;
    if (ssrc === locked.ssrc) return quietMs >= STILL_THERE_MS ? PROOF_SAME_ADDRESS : Infinity;
    return isExpectedMachine && quietMs >= GONE_MS ? PROOF_ELSEWHERE : Infinity;
  }

  function countCandidate(address: string, port: number, ssrc: number, sequence: number): number {
    const isSame = candidate?.ssrc === ssrc && candidate.port === port && candidate.address === address;
    const isNext = isSame && sequenceDistance(sequence, candidateSequence) === 1;
    if (!isSame) candidate = { address, port, ssrc };
    candidatePackets = isNext ? candidatePackets + 1 : 1;
    candidateSequence = sequence;
    return candidatePackets;
  }

  return {
    expect(address, port) {
      if (expected?.address === address && expected.port === port) return;
      expected = { address, port };
      locked = null;
      candidate = null;
    },
    judge(address, port, ssrc, sequence, nowMs) {
      if (!expected) return "ignored";
      if (locked?.ssrc === ssrc && locked.port === port && locked.address === address) {
        candidate = null;
        lastHeardMs = nowMs;
        return "accepted";
      }
      const needed = proofNeeded(address, port, ssrc, nowMs);
      if (needed === Infinity || countCandidate(address, port, ssrc, sequence) < needed) return "ignored";
      locked = { address, port, ssrc };
      candidate = null;
      lastHeardMs = nowMs;
      return "new_source";
    },
    get target() {
      return locked ?? expected;
    },
    get ssrc() {
      return locked?.ssrc ?? null;
    },
  };
}
