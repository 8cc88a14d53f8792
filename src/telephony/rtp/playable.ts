// Something to say: 16-bit samples at 8 kHz, and at 16 kHz where there is more to hear.
import { sampleBetween } from "../../audio/interpolate.ts";

export interface Playable {
  /**
   * Copies what there is to `into` from index `from` on, at 8 kHz or, `isWide`, at 16; returns how many samples that
   * were.
   */
  read(into: Int16Array, from: number, isWide: boolean): number;
  /** Nothing is left, and nothing more will come. */
  readonly isOver: boolean;
}

/** `wide`, where there is one, is the same at 16 kHz. A line may change between the two in mid-word. */
export function playableOf(narrow: Int16Array, wide: Int16Array | null = null): Playable {
  return new Samples(narrow, wide);
}

class Samples implements Playable {
  /** In samples of 8 kHz. */
  private position = 0;

  constructor(
    private readonly narrow: Int16Array,
    private readonly wide: Int16Array | null,
  ) {}

  get isOver(): boolean {
    return this.position >= this.narrow.length;
  }

  read(into: Int16Array, from: number, isWide: boolean): number {
    const { narrow, wide, position } = this;
    const perSample = isWide ? 2 : 1;
    const count = Math.min(Math.floor((into.length - from) / perSample), narrow.length - position);
    if (!isWide) for (let i = 0; i < count; i++) into[from + i] = narrow[position + i] ?? 0;
    else if (wide) for (let i = 0; i < count * 2; i++) into[from + i] = wide[position * 2 + i] ?? 0;
    else interpolate(narrow, position, into, from, count);
    this.position = position + count;
    return count * perSample;
  }
}

function interpolate(narrow: Int16Array, position: number, into: Int16Array, from: number, count: number): void {
  for (let i = 0; i < count; i++) {
    into[from + i * 2] = narrow[position + i] ?? 0;
    into[from + i * 2 + 1] = sampleBetween(narrow, position + i);
  }
}
