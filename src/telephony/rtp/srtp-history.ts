// Received packets of an SRTP stream: the rollover counter of RFC 3711, section 3.3.1, and the replay list of section
// 3.3.2.

/** 2.5 s of audio: later packets are not worth playing. The RFC requires at least 64. */
const REMEMBERED = 128;
const SEQUENCES = 0x1_0000;

export interface PacketHistory {
  /**
   * 48-bit index of a 16-bit sequence number: the candidate nearest to the highest so far. Negative before the first.
   */
  indexOfSequence(sequence: number): number;
  /** True for a replay, or if it is too old to tell. */
  hasSeen(index: number): boolean;
  /** Only for packets with a valid tag. */
  add(index: number): void;
}

export function createPacketHistory(): PacketHistory {
  const seen = new Float64Array(REMEMBERED).fill(-1);
  let highest = -1;

  return {
    indexOfSequence(sequence) {
      const rollover = Math.floor(highest / SEQUENCES);
      const index = rollover * SEQUENCES + sequence;
      if (index - highest > SEQUENCES / 2) return index - SEQUENCES;
      return highest - index > SEQUENCES / 2 ? index + SEQUENCES : index;
    },
    hasSeen: (index) => highest - index >= REMEMBERED || seen[index % REMEMBERED] === index,
    add(index) {
      seen[index % REMEMBERED] = index;
      highest = Math.max(highest, index);
    },
  };
}
