// What one telephone hears of another: frames go in as they come, and out as they are played. Late ones are dropped.
import { sampleBetween } from "../../audio/interpolate.ts";
import type { Playable } from "./playable.ts";

/** 8 kHz: 120 ms. Clocks drift, and nobody talks well with more of a delay. */
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

  /** What is not there is silence: the sound goes on until it is ended. */
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
