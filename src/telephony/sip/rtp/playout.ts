// One frame every 20 ms out of the jitter buffer, with what is missing made up. As long as nothing is missing, bytes pass
// through untouched and nothing is decoded. Of G.711; G.722 has wide-hearing.ts.
import { decodeTable, encodeTable, G711_SILENCE, type G711Law } from "../../../audio/g711.ts";
import { CONCEALMENT_HISTORY_SAMPLES } from "./concealment.ts";
import type { JitterBuffer } from "./jitter-buffer.ts";
import { createMender, mendPieces } from "./mender.ts";
import { FRAME_SAMPLES, SAMPLES_PER_MS } from "./rtp.ts";

/** Of one source and one law. */
export interface Playout {
  /** The next 20 ms, 160 bytes of the law. False for silence that we made up. */
  pull(into: Uint8Array): boolean;
}

export function createPlayout(buffer: JitterBuffer, law: G711Law): Playout {
  /** The newest 60 ms that were played, a ring; the oldest frame stands at `oldest`. */
  const played = new Uint8Array(CONCEALMENT_HISTORY_SAMPLES).fill(G711_SILENCE[law]);
  let oldest = 0;
  const mender = createMender(SAMPLES_PER_MS, recall);
  const samples = new Int16Array(FRAME_SAMPLES);
  /** Before the first frame there is nothing to go on with. */
  let hasPlayed = false;

  function recall(history: Int16Array): void {
    const table = decodeTable(law);
    for (let i = 0; i < history.length; i++) history[i] = table[played[(oldest + i) % played.length] ?? 0] ?? 0;
  }

  function decode(bytes: Uint8Array, into: Int16Array, from: number, to: number): void {
    const table = decodeTable(law);
    for (let i = from; i < to; i++) into[i] = table[bytes[i] ?? 0] ?? 0;
  }

  /** Writes the samples back where the frame was changed. */
  function encode(into: Uint8Array, from: number, to: number): void {
    const table = encodeTable(law);
    for (let i = from; i < to; i++) into[i] = table[(samples[i] ?? 0) & 0xffff] ?? 0;
  }

  function rejoin(into: Uint8Array, from: number): void {
    if (!mender.isInGap) return;
    decode(into, samples, from, FRAME_SAMPLES);
    encode(into, from, mender.present(samples, from));
  }

  function makeUp(into: Uint8Array, from: number, to: number): boolean {
    if (!mender.isInGap) decode(into, samples, 0, from);
    const sounds = mender.missing(samples, from, to);
    if (sounds) encode(into, from, to);
    return sounds;
  }

  function mend(into: Uint8Array): boolean {
    return mendPieces(
      buffer.present,
      (from) => rejoin(into, from),
      (from, to) => makeUp(into, from, to),
    );
  }

  function keep(frame: Uint8Array): void {
    played.set(frame, oldest);
    oldest = (oldest + FRAME_SAMPLES) % CONCEALMENT_HISTORY_SAMPLES;
  }

  return {
    pull(into) {
      const kind = buffer.pull(into);
      if (kind === "silence" || (kind === "lost" && !hasPlayed)) return false;
      if (buffer.wasCut && hasPlayed) mender.cut();
      hasPlayed = true;
      let sounds = true;
      if (kind === "audio") rejoin(into, 0);
      else sounds = mend(into);
      if (sounds) keep(into);
      return sounds;
    },
  };
}
