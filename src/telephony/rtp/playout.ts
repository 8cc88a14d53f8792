// One frame every 20 ms from the jitter buffer, with concealment. While nothing is missing, bytes pass through
// unchanged and undecoded. For G.711; wide-hearing.ts handles G.722.
import { decodeTable, encodeTable, G711_SILENCE, type G711Law } from "../../audio/g711.ts";
import { CONCEALMENT_HISTORY_SAMPLES } from "./concealment.ts";
import type { JitterBuffer } from "./jitter-buffer.ts";
import { createMender, mendPieces, type Mender } from "./mender.ts";
import { FRAME_SAMPLES, SAMPLES_PER_MS } from "./rtp.ts";

/** One source and one law. */
export interface Playout {
  /** The next 20 ms, 160 bytes of the law. False for generated silence. */
  pull(into: Uint8Array): boolean;
}

export function createPlayout(buffer: JitterBuffer, law: G711Law): Playout {
  return new MendedPlayout(buffer, law);
}

/** Samples of a frame under repair. Shared by all calls: each call has finished with it at once. */
const samples = new Int16Array(FRAME_SAMPLES);

class MendedPlayout implements Playout {
  /** Ring buffer of the newest 60 ms played; the oldest frame is at `oldest`. */
  private readonly played: Uint8Array;
  private oldest = 0;
  /** Created at the first gap: many calls never have one. */
  private mender: Mender | null = null;
  /** Before the first frame there is no history to conceal from. */
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

  /** Encodes the changed samples back into the frame. */
  private encode(into: Uint8Array, from: number, to: number): void {
    const table = encodeTable(this.law);
    for (let i = from; i < to; i++) into[i] = table[(samples[i] ?? 0) & 0xffff] ?? 0;
  }
}
