// Header of a G.711 WAV, as used by recordings, and repair of recordings whose writer crashed.
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { G711_SAMPLE_RATE_HZ } from "./g711.ts";

export const WAVE_FORMAT = { pcm: 1, float: 3, alaw: 6, mulaw: 7, extensible: 0xfffe } as const;

/** RIFF 12, `fmt ` 26 (18 of them its body), `fact` 12 and the header of `data` 8. */
export const G711_WAV_HEADER_BYTES = 58;

const RIFF_SIZE_AT = 4;
const CHANNELS_AT = 22;
const FACT_FRAMES_AT = 46;
const DATA_SIZE_AT = 54;

/** µ-law at 8 kHz; a frame is one sample of each channel. */
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
  /** Whether the file is playable now. */
  playable: boolean;
  /** Whether a repair was needed. */
  repaired: boolean;
  seconds: number;
}

const NOT_PLAYABLE: WavRepair = { playable: false, repaired: false, seconds: 0 };

/** Whether `mulawWavHeader` wrote it, with any lengths. */
export function isOurWavHeader(bytes: Uint8Array): boolean {
  const found = Buffer.from(bytes.subarray(0, G711_WAV_HEADER_BYTES));
  if (found.length < G711_WAV_HEADER_BYTES) return false;
  const channels = found.readUInt16LE(CHANNELS_AT);
  writeLengths(found, channels, 0);
  return channels > 0 && found.equals(mulawWavHeader({ channels, frames: 0 }));
}

/**
 * Writes the correct lengths into the header of a truncated recording. Changes only files written with
 * `mulawWavHeader`; idempotent. Throws if the file cannot be opened.
 */
export function repairWav(file: string): WavRepair {
  const descriptor = openSync(file, "r+");
  try {
    const header = Buffer.alloc(G711_WAV_HEADER_BYTES);
    if (readSync(descriptor, header, 0, header.length, 0) < header.length) return NOT_PLAYABLE;
    const channels = header.readUInt16LE(CHANNELS_AT);
    const frames = channels > 0 ? Math.floor((fstatSync(descriptor).size - header.length) / channels) : 0;
    const seconds = frames / G711_SAMPLE_RATE_HZ;

    if (!isOurWavHeader(header)) return NOT_PLAYABLE;
    const right = mulawWavHeader({ channels, frames });
    if (header.equals(right)) return { playable: true, repaired: false, seconds };

    ftruncateSync(descriptor, header.length + frames * channels);
    writeSync(descriptor, right, 0, right.length, 0);
    return { playable: true, repaired: true, seconds };
  } finally {
    closeSync(descriptor);
  }
}
