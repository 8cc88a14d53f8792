// One frame every 20 ms out of the jitter buffer, with what is missing made up. As long as nothing is missing, bytes
// pass through untouched and nothing is decoded. Of G.711; G.722 has wide-hearing.ts.
import { decodeTable, encodeTable, G711_SILENCE, type G711Law } from "../../audio/g711.ts";
import { CONCEALMENT_HISTORY_SAMPLES } from "./concealment.ts";
import type { JitterBuffer } from "./jitter-buffer.ts";
import { createMender, mendPieces, type Mender } from "./mender.ts";
import { FRAME_SAMPLES, SAMPLES_PER_MS } from "./rtp.ts";

/** Of one source and one law. */
export interface Playout {
  /** The next 20 ms, 160 bytes of the law. False for silence that we made up. */
  pull(into: Uint8Array): boolean;
}

export function createPlayout(buffer: JitterBuffer, law: G711Law): Playout {
  return new MendedPlayout(buffer, law);
}

/** Of the frame at hand, where it has to be mended. One for all calls: a call is done with it at once. */
const samples = new Int16Array(FRAME_SAMPLES);

class MendedPlayout implements Playout {
  /** The newest 60 ms that were played, a ring; the oldest frame stands at `oldest`. */
  private readonly played: Uint8Array;
  private oldest = 0;
  /** Made for the first gap: many calls never have one. */
  private mender: Mender | null = null;
  /** Before the first frame there is nothing to go on with. */
  private hasPlayed = false;

  constructor(
    private readonly buffer: JitterBuffer,
    private readonly law: G711Law,
  ) {
    this.played = new Uint8Array(CONCEALMENT_HISTORY_SAMPLES).fill(G711_SILENCE[law]);
  }

  pull(into: Uint8Array): boolean {
    const kind = this.buffer.pull(into);
    if (kind === "silence" || (kind === "lost" && !this.hasPlayed)) return false;
    if (this.buffer.wasCut && this.hasPlayed) this.mending().cut();
    this.hasPlayed = true;
    if (kind === "audio") this.rejoin(into, 0);
    else if (!this.mend(into)) return false;
    this.keep(into);
    return true;
  }

  private mending(): Mender {
    return (this.mender ??= createMender(SAMPLES_PER_MS, (history) => this.recall(history)));
  }

  private recall(history: Int16Array): void {
    const { played, oldest } = this;
    const table = decodeTable(this.law);
    for (let i = 0; i < history.length; i++) history[i] = table[played[(oldest + i) % played.length] ?? 0] ?? 0;
  }

  private keep(frame: Uint8Array): void {
    this.played.set(frame, this.oldest);
    this.oldest = (this.oldest + FRAME_SAMPLES) % CONCEALMENT_HISTORY_SAMPLES;
  }

  private mend(into: Uint8Array): boolean {
    return mendPieces(
      this.buffer.present,
      (from) => this.rejoin(into, from),
      (from, to) => this.makeUp(into, from, to),
    );
  }

  private rejoin(into: Uint8Array, from: number): void {
    if (!this.mender?.isInGap) return;
    this.decode(into, from, FRAME_SAMPLES);
    this.encode(into, from, this.mender.present(samples, from));
  }

  private makeUp(into: Uint8Array, from: number, to: number): boolean {
    const mender = this.mending();
    if (!mender.isInGap) this.decode(into, 0, from);
    const sounds = mender.missing(samples, from, to);
    if (sounds) this.encode(into, from, to);
    return sounds;
  }

  private decode(bytes: Uint8Array, from: number, to: number): void {
    const table = decodeTable(this.law);
    for (let i = from; i < to; i++) samples[i] = table[bytes[i] ?? 0] ?? 0;
  }

  /** Writes the samples back where the frame was changed. */
  private encode(into: Uint8Array, from: number, to: number): void {
    const table = encodeTable(this.law);
    for (let i = from; i < to; i++) into[i] = table[(samples[i] ?? 0) & 0xffff] ?? 0;
  }
}
