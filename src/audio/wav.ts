// The head of a WAV of G.711, as every recording has it, and how to mend one whose writer died before it was finished.
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { G711_SAMPLE_RATE_HZ } from "./g711.ts";

export const WAVE_FORMAT = { pcm: 1, float: 3, alaw: 6, mulaw: 7, extensible: 0xfffe } as const;

/** RIFF 12, `fmt ` 26 (18 of them its body), `fact` 12 and the head of `data` 8. */
export const G711_WAV_HEADER_BYTES = 58;

const RIFF_SIZE_AT = 4;
const CHANNELS_AT = 22;
const FACT_FRAMES_AT = 46;
const DATA_SIZE_AT = 54;

/** µ-law at 8 kHz; `frames` counts one sample of each channel as one. */
export function mulawWavHeader({ channels, frames }: { channels: number; frames: number }): Buffer {
  const bytes = Buffer.alloc(G711_WAV_HEADER_BYTES);
  bytes.write("RIFF", 0);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(18, 16);
  bytes.writeUInt16LE(WAVE_FORMAT.mulaw, 20);
  bytes.writeUInt16LE(channels, CHANNELS_AT);
  bytes.writeUInt32LE(G711_SAMPLE_RATE_HZ, 24);
  bytes.writeUInt32LE(G711_SAMPLE_RATE_HZ * channels, 28); // bytes per second
  bytes.writeUInt16LE(channels, 32); // bytes per frame
  bytes.writeUInt16LE(8, 34); // bits per sample
  bytes.writeUInt16LE(0, 36); // no extension
  bytes.write("fact", 38); // required of every format but PCM
  bytes.writeUInt32LE(4, 42);
  bytes.write("data", 50);
  writeLengths(bytes, channels, frames);
  return bytes;
}

function writeLengths(header: Buffer, channels: number, frames: number): void {
  header.writeUInt32LE(G711_WAV_HEADER_BYTES - 8 + frames * channels, RIFF_SIZE_AT);
  header.writeUInt32LE(frames, FACT_FRAMES_AT);
  header.writeUInt32LE(frames * channels, DATA_SIZE_AT);
}

export interface WavRepair {
  /** Whether the file holds a playable recording now. */
  playable: boolean;
  /** Whether anything had to be mended. */
  repaired: boolean;
  seconds: number;
}

const NOT_PLAYABLE: WavRepair = { playable: false, repaired: false, seconds: 0 };

/** After a crash: what there is of a recording, in seconds; null where nothing of it can be played. Never throws. */
export function salvageRecording(file: string): number | null {
  try {
    const { playable, seconds } = repairWav(file);
    return playable && seconds > 0 ? seconds : null;
  } catch {
    return null;
  }
}

/**
 * Puts the true lengths into the head of a recording that was cut off. Touches nothing that did not come from
 * `mulawWavHeader`, and may be run on a whole file again and again. Throws where the file cannot be opened.
 */
export function repairWav(file: string): WavRepair {
  const descriptor = openSync(file, "r+");
  try {
    const header = Buffer.alloc(G711_WAV_HEADER_BYTES);
    if (readSync(descriptor, header, 0, header.length, 0) < header.length) return NOT_PLAYABLE;
    const channels = header.readUInt16LE(CHANNELS_AT);
    const frames = channels > 0 ? Math.floor((fstatSync(descriptor).size - header.length) / channels) : 0;
    const seconds = frames / G711_SAMPLE_RATE_HZ;

    const right = mulawWavHeader({ channels, frames });
    const found = Buffer.from(header);
    writeLengths(found, channels, frames);
    if (channels === 0 || !found.equals(right)) return NOT_PLAYABLE;
    if (header.equals(right)) return { playable: true, repaired: false, seconds };

    ftruncateSync(descriptor, header.length + frames * channels);
    writeSync(descriptor, right, 0, right.length, 0);
    return { playable: true, repaired: true, seconds };
  } finally {
    closeSync(descriptor);
  }
}
