// The neural voice: Kokoro's text encoder turns phonemes into features, and our own decoder turns features into
// telephone audio. Both block their thread: 65 ms for a word, 300 ms for five seconds of speech.
import { floats, floatsOf, integers, type Model } from "../../onnx/runtime.ts";
import { normalNoise } from "./noise.ts";

/** Output names of the truncated network. */
const FEATURES = "/encoder/MatMul_1_output_0";
const PITCH = "/encoder/Reshape_output_0";
const ENERGY = "/encoder/Reshape_1_output_0";

/** A voice's table has one style row per sentence length, up to this many phonemes. */
const ROWS = 510;
const ROW_WIDTH = 256;
/** Half of a row is timbre; the other half is prosody. */
const TIMBRE_WIDTH = 128;
/** The decoder generates 25 ms per feature. */
const SAMPLES_PER_FEATURE = 200;

export interface Utterance {
  /** Numbers from phonemes.ts; at most 510. */
  sounds: readonly number[];
  /** The voice's table. */
  manner: Float32Array;
  /** Relative to the usual. */
  speed?: number;
  /** Varies the noise for the same phonemes. */
  seed?: number;
}

/** 8 kHz, −1 to 1; owned by the caller. */
export type NeuralVoice = (utterance: Utterance) => Float32Array;

type Runs = Pick<Model, "run">;

export function createNeuralVoice({ front, decoder }: { front: Runs; decoder: Runs }): NeuralVoice {
  return ({ sounds, manner, speed = 1, seed = 0 }) => {
    const row = Math.min(sounds.length, ROWS - 1) * ROW_WIDTH;
    const style = manner.slice(row, row + ROW_WIDTH);
    const said = front.run({
      input_ids: integers([0, ...sounds, 0]),
      style: floats(style, [1, ROW_WIDTH]),
      speed: floats(Float32Array.of(speed), [1]),
    });
    const features = said[FEATURES];
    const [pitch, energy] = [floatsOf(said[PITCH]), floatsOf(said[ENERGY])];
    const length = (features?.dims[2] ?? 0) * SAMPLES_PER_FEATURE;
    const heard = decoder.run({
      asr: floats(floatsOf(features), features?.dims ?? []),
      f0: floats(pitch, [1, pitch.length]),
      n: floats(energy, [1, energy.length]),
      style: floats(style.slice(0, TIMBRE_WIDTH), [1, TIMBRE_WIDTH]),
      noise: floats(normalNoise(length, sounds.reduce(mix, sounds.length + seed)), [1, length]),
    });
    return floatsOf(heard["wave"]).slice();
  };
}

const mix = (seed: number, sound: number): number => (Math.imul(seed, 31) + sound) | 0;
