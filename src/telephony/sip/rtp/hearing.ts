// What we hear, from the jitter buffer to samples, in the codec that the peer speaks.
import type { Codec } from "../../../audio/codec.ts";
import { decodeTable, G711_SILENCE, type G711Law } from "../../../audio/g711.ts";
import { G722_SILENCE } from "../../../audio/g722.ts";
import type { Hearing } from "./hearing-port.ts";
import type { JitterBuffer } from "./jitter-buffer.ts";
import { createPlayout } from "./playout.ts";
import { FRAME_SAMPLES } from "./rtp.ts";
import { createWideHearing } from "./wide-hearing.ts";

/** For places in the jitter buffer that nothing is known of. */
export function silenceOf(codec: Codec): number {
  return codec === "G722" ? G722_SILENCE : G711_SILENCE[codec];
}

export function createHearing(buffer: JitterBuffer, codec: Codec): Hearing {
  return codec === "G722" ? createWideHearing(buffer) : createNarrowHearing(buffer, codec);
}

/** Decodes only where somebody listens. */
function createNarrowHearing(buffer: JitterBuffer, law: G711Law): Hearing {
  const playout = createPlayout(buffer, law);
  const table = decodeTable(law);
  const bytes = new Uint8Array(FRAME_SAMPLES).fill(G711_SILENCE[law]);
  const samples = new Int16Array(FRAME_SAMPLES);
  return {
    codec: law,
    pull: () => playout.pull(bytes),
    recordable: bytes,
    law,
    samples() {
      for (let i = 0; i < FRAME_SAMPLES; i++) samples[i] = table[bytes[i] ?? 0] ?? 0;
      return samples;
    },
    wide: null,
  };
}
