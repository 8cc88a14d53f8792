// Decoding of a G.722 call: received bytes are decoded at 16 kHz, and the lower band at 8 kHz; missing audio is
// concealed in both. Concealment works on samples, never on bytes: G.722 is stateful, and the decoder continues from
// the last received byte.
import { encodeTable, G711_SILENCE } from "../../audio/g711.ts";
import { createG722Decoder } from "../../audio/g722.ts";
import type { Hearing } from "./hearing-port.ts";
import type { JitterBuffer } from "./jitter-buffer.ts";
import { createMender, createSampleMemory, mendPieces } from "./mender.ts";
import { FRAME_SAMPLES, SAMPLES_PER_MS, WIDE_FRAME_SAMPLES } from "./rtp.ts";

export function createWideHearing(buffer: JitterBuffer): Hearing {
  const decoder = createG722Decoder();
  const bytes = new Uint8Array(FRAME_SAMPLES);
  const low = new Int16Array(FRAME_SAMPLES);
  const wide = new Int16Array(WIDE_FRAME_SAMPLES);
  const recordable = new Uint8Array(FRAME_SAMPLES).fill(G711_SILENCE.PCMU);
  const toMulaw = encodeTable("PCMU");
  const lowMemory = createSampleMemory(SAMPLES_PER_MS);
  const wideMemory = createSampleMemory(SAMPLES_PER_MS * 2);
  const lowMender = createMender(SAMPLES_PER_MS, lowMemory.recall);
  const wideMender = createMender(SAMPLES_PER_MS * 2, wideMemory.recall);
  /** Before the first frame there is no history to conceal from. */
  let hasHeard = false;

  function hear(from: number, to: number): void {
    decoder.decode(bytes.subarray(from, to), wide.subarray(from * 2, to * 2), low.subarray(from, to));
    lowMender.present(low, from);
    wideMender.present(wide, from * 2);
  }

  function makeUp(from: number, to: number): boolean {
    lowMender.missing(low, from, to);
    return wideMender.missing(wide, from * 2, to * 2);
  }

  function next(): boolean {
    const kind = buffer.pull(bytes);
    if (kind === "silence" || (kind === "lost" && !hasHeard)) return false;
    if (buffer.wasCut && hasHeard) {
      lowMender.cut();
      wideMender.cut();
    }
    hasHeard = true;
    if (kind !== "audio") return mendPieces(buffer.present, hear, makeUp);
    hear(0, FRAME_SAMPLES);
    return true;
  }

  return {
    codec: "G722",
    pull() {
      const isHeard = next();
      if (isHeard) {
        lowMemory.keep(low);
        wideMemory.keep(wide);
        for (let i = 0; i < FRAME_SAMPLES; i++) recordable[i] = toMulaw[(low[i] ?? 0) & 0xffff] ?? 0;
      } else {
        low.fill(0);
        wide.fill(0);
      }
      return isHeard;
    },
    recordable,
    law: "PCMU",
    samples: () => low,
    wide,
  };
}
