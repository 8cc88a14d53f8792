// Decoding of received audio, from the jitter buffer to samples, in the peer's codec.
import type { Codec } from "../../audio/codec.ts";
import { decodeTable, G711_SILENCE, type G711Law } from "../../audio/g711.ts";
import { G722_SILENCE } from "../../audio/g722.ts";
import type { Hearing } from "./hearing-port.ts";
import type { JitterBuffer } from "./jitter-buffer.ts";
import { createPlayout, type Playout } from "./playout.ts";
import { FRAME_SAMPLES } from "./rtp.ts";
import { createWideHearing } from "./wide-hearing.ts";

/** Fill byte for missing parts of the jitter buffer. */
export function silenceOf(codec: Codec): number {
  return codec === "G722" ? G722_SILENCE : G711_SILENCE[codec];
}

export function createHearing(buffer: JitterBuffer, codec: Codec): Hearing {
  return codec === "G722" ? createWideHearing(buffer) : createNarrowHearing(buffer, codec);
}

/** Shared by all calls: each call has finished with it before the next one pulls. */
const narrowFrame = new Uint8Array(FRAME_SAMPLES);
const narrowSamples = new Int16Array(FRAME_SAMPLES);

/** Decodes only if there is a listener. */
function createNarrowHearing(buffer: JitterBuffer, law: G711Law): Hearing {
  return new NarrowHearing(law, createPlayout(buffer, law));
}

class NarrowHearing implements Hearing {
  readonly recordable = narrowFrame;
  readonly wide = null;

  constructor(
    readonly law: G711Law,
    private readonly playout: Playout,
  ) {}

  get codec(): Codec {
    return this.law;
  }

  pull(): boolean {
    return this.playout.pull(narrowFrame);
  }

  samples(): Int16Array {
    const table = decodeTable(this.law);
    for (let i = 0; i < FRAME_SAMPLES; i++) narrowSamples[i] = table[narrowFrame[i] ?? 0] ?? 0;
    return narrowSamples;
  }
}
