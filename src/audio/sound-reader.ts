// Streaming reader for WAV or headerless 16-bit samples, resampled to 8 kHz on the fly. Works in small steps, because
// its thread has real-time work.
import { createResampler, type Resampler } from "./resample.ts";
import { WAVE_FORMAT } from "./wav.ts";

/** Rate of headerless samples in the public API. */
export const BARE_RATE_HZ = 24_000;
/** About 2 ms of work. */
const FRAMES_PER_STEP = 4_800;
/** Headers with tag lists exceed 44 bytes, but never this size. */
const MOST_HEAD_BYTES = 64 * 1024;

export interface SoundReader {
  /** Samples at 8 kHz, in steps. Throws an Error on unsupported audio. */
  push(bytes: Uint8Array): Generator<Int16Array, void>;
  /** The rest. Throws if there was no audio at all. */
  end(): Int16Array;
}

/** `isBare`: headerless samples are accepted too. */
export function createSoundReader(isBare: boolean): SoundReader {
  let waiting = Buffer.alloc(0);
  let sound: { resampler: Resampler; channels: number } | null = null;

  function begin(): void {
    const head = waiting.toString("latin1", 0, 4);
    if (head.startsWith("RIFF") && head.length === 4) {
      const found = formatOf(waiting);
      if (!found) return;
      sound = { resampler: createResampler(found.rateHz), channels: found.channels };
      waiting = waiting.subarray(found.dataAt);
    } else if (head.length === 4) {
      if (!isBare) throw new Error("The audio is not a WAV.");
      sound = { resampler: createResampler(BARE_RATE_HZ), channels: 1 };
    }
  }

  return {
    *push(bytes) {
      waiting = waiting.length === 0 ? Buffer.from(bytes) : Buffer.concat([waiting, bytes]);
      if (!sound) begin();
      if (!sound) return;
      const frameBytes = 2 * sound.channels;
      while (waiting.length >= frameBytes) {
        const frames = Math.min(FRAMES_PER_STEP, Math.floor(waiting.length / frameBytes));
        const mono = new Float32Array(frames);
        for (let i = 0; i < frames; i++) {
          let sum = 0;
          for (let c = 0; c < sound.channels; c++) sum += waiting.readInt16LE((i * sound.channels + c) * 2);
          mono[i] = sum / sound.channels;
        }
        waiting = waiting.subarray(frames * frameBytes);
        yield sound.resampler.push(mono);
      }
    },
    end() {
      if (!sound) throw new Error("The audio is empty.");
      return sound.resampler.flush();
    },
  };
}

/** Null while the header is incomplete. Streaming voices do not know the data length: all that follows is data. */
function formatOf(bytes: Buffer): { rateHz: number; channels: number; dataAt: number } | null {
  let format: { rateHz: number; channels: number } | null = null;
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = bytes.toString("latin1", at, at + 4);
    if (name === "data") {
      if (!format) throw new Error("The WAV's audio comes before its format.");
      return { ...format, dataAt: at + 8 };
    }
    const size = bytes.readUInt32LE(at + 4);
    if (name === "fmt ") {
      if (size < 16 || at + 8 + 16 > bytes.length) return null;
      const tag = bytes.readUInt16LE(at + 8);
      const [channels, bits] = [bytes.readUInt16LE(at + 10), bytes.readUInt16LE(at + 22)];
      const isPcm = tag === WAVE_FORMAT.pcm || tag === WAVE_FORMAT.extensible;
      if (!isPcm || bits !== 16 || channels < 1 || channels > 2) throw new Error("The WAV is not 16-bit PCM.");
      format = { rateHz: bytes.readUInt32LE(at + 12), channels };
    }
    at += 8 + size + (size % 2);
    if (at > MOST_HEAD_BYTES) throw new Error("The WAV's header is too long.");
  }
  return null;
}
