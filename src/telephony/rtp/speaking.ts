// Encoding of sent audio, from samples to packet bytes, in the codec of the call.
import type { Codec } from "../../audio/codec.ts";
import { encodeTable, type G711Law } from "../../audio/g711.ts";
import { createG722Encoder } from "../../audio/g722.ts";
import { FRAME_SAMPLES, WIDE_FRAME_SAMPLES } from "./rtp.ts";

export interface Speaking {
  /** Fill it with the next 20 ms right before `encode`: 160 samples at 8 kHz, or 320 at 16 kHz for a wideband codec. */
  readonly frame: Int16Array;
  /** Encodes the frame into the packet. */
  encode(): void;
  /** The same in G.711, for the recording. In a G.711 call it is the packet's own memory. */
  readonly recordable: Uint8Array;
  readonly law: G711Law;
}

export function createSpeaking(codec: Codec, payload: Uint8Array): Speaking {
  return codec === "G722" ? speakingWide(payload) : speakingNarrow(codec, payload);
}

/** One for all calls: each fills and encodes it at once, and recently used memory is still in the CPU cache. */
const NARROW_FRAME = new Int16Array(FRAME_SAMPLES);
const NARROW_PAIRS = new Int32Array(NARROW_FRAME.buffer);

function speakingNarrow(law: G711Law, payload: Uint8Array): Speaking {
  return new NarrowSpeaking(law, payload);
}

class NarrowSpeaking implements Speaking {
  readonly frame = NARROW_FRAME;
  private readonly fours: Int32Array;

  constructor(
    readonly law: G711Law,
    readonly recordable: Uint8Array,
  ) {
    this.fours = new Int32Array(recordable.buffer, recordable.byteOffset, FRAME_SAMPLES / 4);
  }

  /**
   * Reads two samples and writes four bytes at a time: 0.3 µs instead of 0.7. Assumes the little-endian order of x64
   * and arm64.
   */
  encode(): void {
    const { fours } = this;
    const table = encodeTable(this.law);
    for (let i = 0; i < FRAME_SAMPLES / 4; i++) {
      const first = NARROW_PAIRS[i * 2] ?? 0;
      const second = NARROW_PAIRS[i * 2 + 1] ?? 0;
      const low = (table[first & 0xffff] ?? 0) | ((table[first >>> 16] ?? 0) << 8);
      const high = (table[second & 0xffff] ?? 0) | ((table[second >>> 16] ?? 0) << 8);
      fours[i] = low | (high << 16);
    }
  }
}

function speakingWide(payload: Uint8Array): Speaking {
  const frame = new Int16Array(WIDE_FRAME_SAMPLES);
  const low = new Int16Array(FRAME_SAMPLES);
  const recordable = new Uint8Array(FRAME_SAMPLES);
  const encoder = createG722Encoder();
  const toMulaw = encodeTable("PCMU");
  return {
    frame,
    encode() {
      encoder.encode(frame, payload, low);
      for (let i = 0; i < FRAME_SAMPLES; i++) recordable[i] = toMulaw[(low[i] ?? 0) & 0xffff] ?? 0;
    },
    recordable,
    law: "PCMU",
  };
}
