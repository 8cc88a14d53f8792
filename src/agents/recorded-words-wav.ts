// Converts recordings between the stored form (16-bit, little-endian, 8 kHz), samples and WAV.
import { G711_SAMPLE_RATE_HZ } from "../audio/g711.ts";
import { WAVE_FORMAT } from "../audio/wav.ts";

const SAMPLE_BYTES = 2;
const HEADER_BYTES = 44;

/** All platforms of Bun are little-endian. */
export function bytesOf(samples: Int16Array): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}

/** Copies, because SQLite may return an unaligned buffer, and the samples are sent to another thread. */
export function samplesOf(stored: Uint8Array): Int16Array {
  const samples = new Int16Array(Math.floor(stored.byteLength / SAMPLE_BYTES));
  bytesOf(samples).set(stored.subarray(0, samples.byteLength));
  return samples;
}

export function pcmWav(stored: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(HEADER_BYTES + stored.byteLength);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(HEADER_BYTES - 8 + stored.byteLength, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(WAVE_FORMAT.pcm, 20);
  bytes.writeUInt16LE(1, 22); // mono
  bytes.writeUInt32LE(G711_SAMPLE_RATE_HZ, 24);
  bytes.writeUInt32LE(G711_SAMPLE_RATE_HZ * SAMPLE_BYTES, 28); // bytes per second
  bytes.writeUInt16LE(SAMPLE_BYTES, 32);
  bytes.writeUInt16LE(8 * SAMPLE_BYTES, 34); // bits per sample
  bytes.write("data", 36);
  bytes.writeUInt32LE(stored.byteLength, 40);
  bytes.set(stored, HEADER_BYTES);
  return bytes;
}
