// A bad network as a pure function from sent packets to received packets with their times. Loss, delay and duplication
// depend on the seed only, so a test fails on every machine or on none.
import { randomFrom } from "./sounds.ts";

export interface Impairment {
  seed: number;
  /** 0 to 1. */
  lossShare: number;
  /**
   * Each packet is late by any time up to this. Where it is more than 20 ms, that alone brings packets out of order.
   */
  jitterMs: number;
  /** This share is held back by `heldBackMs` more, as one that took another way. */
  heldBackShare: number;
  heldBackMs: number;
  /** Of what arrives, this share arrives once more, later by up to the jitter. */
  duplicateShare: number;
  /** How many packets a loss takes on average; 1 where each is lost by itself. */
  lossBurst: number;
}

/** What the requirement names, with copies and strays beside it. */
export const BAD_NETWORK: Impairment = {
  seed: 1,
  lossShare: 0.03,
  jitterMs: 50,
  heldBackShare: 0.02,
  heldBackMs: 30,
  duplicateShare: 0.02,
  lossBurst: 1,
};

export const GOOD_NETWORK: Impairment = {
  ...BAD_NETWORK,
  lossShare: 0,
  jitterMs: 0,
  heldBackShare: 0,
  duplicateShare: 0,
};

export interface Timed<Packet> {
  atMs: number;
  packet: Packet;
}

export interface Passage<Packet> {
  /** In the order of arrival. */
  arrivals: Timed<Packet>[];
  lost: number;
  duplicated: number;
  /** Arrived after one that was sent later. */
  outOfOrder: number;
}

export function passThrough<Packet>(sent: readonly Timed<Packet>[], impairment: Impairment): Passage<Packet> {
  const { lossShare, jitterMs, heldBackShare, heldBackMs, duplicateShare, lossBurst } = impairment;
  const random = randomFrom(impairment.seed);
  // Two states, good and lost: the mean stay in `lost` is the burst, the share of time in it is the loss.
  const leaveLoss = 1 / lossBurst;
  const enterLoss = lossShare === 0 ? 0 : (leaveLoss * lossShare) / (1 - lossShare);
  const arrivals: (Timed<Packet> & { order: number })[] = [];
  let isLosing = false;
  let lost = 0;
  let duplicated = 0;
  for (const [order, { atMs, packet }] of sent.entries()) {
    isLosing = random() < (isLosing ? 1 - leaveLoss : enterLoss);
    const delayMs = random() * jitterMs + (random() < heldBackShare ? heldBackMs : 0);
    const isDoubled = random() < duplicateShare;
    const copyDelayMs = random() * jitterMs;
    if (isLosing) {
      lost++;
      continue;
    }
    arrivals.push({ atMs: atMs + delayMs, packet, order });
    if (!isDoubled) continue;
    duplicated++;
    arrivals.push({ atMs: atMs + delayMs + copyDelayMs, packet, order });
  }
  arrivals.sort((a, b) => a.atMs - b.atMs || a.order - b.order);
  let newest = -1;
  let outOfOrder = 0;
  for (const { order } of arrivals) {
    if (order < newest) outOfOrder++;
    newest = Math.max(newest, order);
  }
  return { arrivals: arrivals.map(({ atMs, packet }) => ({ atMs, packet })), lost, duplicated, outOfOrder };
}
