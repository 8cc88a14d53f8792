// Which packets of a stream were here: the rollover counter of RFC 3711, section 3.3.1, and the replay list of section
// 3.3.2.

/** 2.5 s of audio: later than this no packet is worth playing. The RFC asks for 64 at least. */
const REMEMBERED = 128;
const SEQUENCES = 0x1_0000;

export interface PacketHistory {
  /**
   * The 48-bit index of a 16-bit sequence number: the one that is nearest to the highest so far. Negative before the
   * first.
   */
  indexOfSequence(sequence: number): number;
  /** Was here, or is too old to tell. */
  hasSeen(index: number): boolean;
  /** Only of packets whose tag is right. */
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
