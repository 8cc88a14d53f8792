// One frame every 20 ms out of the jitter buffer, with what is missing made up. As long as nothing is missing, bytes pass
// through untouched and nothing is decoded. Of G.711; G.722 has wide-hearing.ts.
import { decodeTable, encodeTable, G711_SILENCE, type G711Law } from "../../../audio/g711.ts";
import { CONCEALMENT_HISTORY_SAMPLES, createConcealer } from "./concealment.ts";
import type { JitterBuffer } from "./jitter-buffer.ts";
import { FRAME_SAMPLES } from "./rtp.ts";

/** Of one source and one law. */
export interface Playout {
  /** The next 20 ms, 160 bytes of the law. False for silence that we made up. */
  pull(into: Uint8Array): boolean;
}

export function createPlayout(buffer: JitterBuffer, law: G711Law): Playout {
  const concealer = createConcealer();
  /** The newest 60 ms that were played. */
  const played = new Uint8Array(CONCEALMENT_HISTORY_SAMPLES).fill(G711_SILENCE[law]);
  const history = new Int16Array(CONCEALMENT_HISTORY_SAMPLES);
  const samples = new Int16Array(FRAME_SAMPLES);
  let isInGap = false;
  /** Before the first frame there is nothing to go on with. */
  let hasPlayed = false;

  function beginGap(frame: Uint8Array, upTo: number): void {
    const decode = decodeTable(law);
    const older = CONCEALMENT_HISTORY_SAMPLES - upTo;
    for (let i = 0; i < older; i++) history[i] = decode[played[i + upTo] ?? 0] ?? 0;
    for (let i = 0; i < upTo; i++) history[older + i] = decode[frame[i] ?? 0] ?? 0;
    concealer.begin(history);
    isInGap = true;
  }

  /** Writes the samples back where the frame was changed. */
  function encode(into: Uint8Array, from: number, to: number): void {
    const table = encodeTable(law);
    for (let i = from; i < to; i++) into[i] = table[(samples[i] ?? 0) & 0xffff] ?? 0;
  }

  function rejoin(into: Uint8Array, at: number): void {
    const decode = decodeTable(law);
    for (let i = at; i < FRAME_SAMPLES; i++) samples[i] = decode[into[i] ?? 0] ?? 0;
    const to = concealer.rejoin(samples, at);
    encode(into, at, to);
    isInGap = false;
  }

  /** Piece by piece, as packets of other lengths than 20 ms leave them. */
  function mend(into: Uint8Array): boolean {
    let sounds = false;
    for (let from = 0; from < FRAME_SAMPLES;) {
      const isPresent = buffer.present[from] === 1;
      let to = from + 1;
      while (to < FRAME_SAMPLES && (buffer.present[to] === 1) === isPresent) to++;
      if (isPresent) {
        if (isInGap) rejoin(into, from);
        sounds = true;
      } else {
        if (!isInGap) beginGap(into, from);
        if (concealer.extend(samples, from, to)) {
          encode(into, from, to);
          sounds = true;
        }
      }
      from = to;
    }
    return sounds;
  }

  function keep(frame: Uint8Array): void {
    played.copyWithin(0, FRAME_SAMPLES);
    played.set(frame, CONCEALMENT_HISTORY_SAMPLES - FRAME_SAMPLES);
  }

  return {
    pull(into) {
      const kind = buffer.pull(into);
      if (kind === "silence" || (kind === "lost" && !hasPlayed)) return false;
      if (buffer.wasCut && !isInGap && hasPlayed) beginGap(into, 0);
      let sounds = true;
      if (kind !== "audio") sounds = mend(into);
      else if (isInGap) rejoin(into, 0);
      hasPlayed = true;
      if (sounds) keep(into);
      return sounds;
    },
  };
}
