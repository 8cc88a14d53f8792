// Audio relayed from one telephone to another: frames are pushed as they arrive and read as they are played. Excess
// delay is dropped.
import { sampleBetween } from "../../audio/interpolate.ts";
import type { Playable } from "./playable.ts";

/** 120 ms at 8 kHz. Clocks drift, and a longer delay disturbs conversation. */
const MOST_SAMPLES = 960;

export interface RelayedSound extends Playable {
  /** 8 kHz; copied. */
  push(frame: Int16Array): void;
  end(): void;
}

export function createRelayedSound(): RelayedSound {
  return new Relayed();
}

class Relayed implements RelayedSound {
  isOver = false;
  private samples = new Int16Array(0);

  push(frame: Int16Array): void {
    const all = new Int16Array(this.samples.length + frame.length);
    all.set(this.samples);
    all.set(frame, this.samples.length);
    this.samples = all.length > MOST_SAMPLES ? all.slice(-MOST_SAMPLES) : all;
  }

  /** Missing samples are silence: the sound continues until `end`. */
  read(into: Int16Array, from: number, isWide: boolean): number {
    const { samples } = this;
    const perSample = isWide ? 2 : 1;
    const wanted = Math.floor((into.length - from) / perSample);
    for (let i = 0; i < wanted; i++) {
      into[from + i * perSample] = samples[i] ?? 0;
      if (isWide) into[from + i * 2 + 1] = i < samples.length ? sampleBetween(samples, i) : 0;
    }
    this.samples = samples.slice(wanted);
    return wanted * perSample;
  }

  end(): void {
    this.isOver = true;
  }
}
