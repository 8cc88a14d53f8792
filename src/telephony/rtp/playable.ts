// Audio to play: 16-bit samples at 8 kHz, and at 16 kHz if available.
import { sampleBetween } from "../../audio/interpolate.ts";

export interface Playable {
  /**
   * Copies the available samples to `into` from index `from` on, at 8 kHz or, if `isWide`, at 16 kHz; returns their
   * number.
   */
  read(into: Int16Array, from: number, isWide: boolean): number;
  /** Nothing is left, and nothing more will come. */
  readonly isOver: boolean;
}

/** `wide`, if given, is the same audio at 16 kHz. A line may switch between the two at any time. */
export function playableOf(narrow: Int16Array, wide: Int16Array | null = null): Playable {
  return new Samples(narrow, wide);
}

class Samples implements Playable {
  /** In samples at 8 kHz. */
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
