// Reads a recorded or synthesised WAV in any common format as 8 kHz mono.
import { decodeTable, G711_SAMPLE_RATE_HZ } from "./g711.ts";
import { WAVE_FORMAT } from "./wav.ts";
import { createResampler } from "./resample.ts";

/** Ten minutes of 48 kHz stereo in floats, longer than any recording for a call. */
const MOST_BYTES = 256 * 1_024 * 1_024;
const MOST_SECONDS = 600;
const MOST_CHANNELS = 2;
/** Programs write a handful of chunks besides format and audio. */
const MOST_CHUNKS = 1_000;
/** Mixes and resamples in steps to limit memory. */
const FRAMES_PER_STEP = 48_000;

interface WavFormat {
  tag: number;
  channels: number;
  rateHz: number;
  bitsPerSample: number;
}

/** Reads one sample at a byte offset, scaled to 16 bits. */
type SampleReader = (data: DataView, at: number) => number;

const READERS: Readonly<Record<string, SampleReader>> = {
  [`${WAVE_FORMAT.pcm}/8`]: (data, at) => (data.getUint8(at) - 128) * 256, // 8-bit PCM alone is unsigned
  [`${WAVE_FORMAT.pcm}/16`]: (data, at) => data.getInt16(at, true),
  [`${WAVE_FORMAT.pcm}/24`]: (data, at) => data.getInt16(at + 1, true) + data.getUint8(at) / 256,
  [`${WAVE_FORMAT.pcm}/32`]: (data, at) => data.getInt32(at, true) / 65_536,
  [`${WAVE_FORMAT.float}/32`]: (data, at) => finite(data.getFloat32(at, true)) * 32_768,
  [`${WAVE_FORMAT.float}/64`]: (data, at) => finite(data.getFloat64(at, true)) * 32_768,
  [`${WAVE_FORMAT.alaw}/8`]: (data, at) => decodeTable("PCMA")[data.getUint8(at)] ?? 0,
  [`${WAVE_FORMAT.mulaw}/8`]: (data, at) => decodeTable("PCMU")[data.getUint8(at)] ?? 0,
};

const finite = (value: number) => (Number.isFinite(value) ? value : 0);

/**
 * 16-bit samples at 8 kHz, channels mixed. Throws an Error with the reason. One minute at 48 kHz takes more than a
 * second, so it must not run on a thread that serves others.
 */
export function readWav(bytes: Uint8Array, mostSeconds = MOST_SECONDS): Int16Array {
  if (bytes.byteLength > MOST_BYTES)
    throw new Error(`The WAV is larger than ${MOST_BYTES / 1_048_576} MB; shorten it.`);
  const { format, data } = chunksOf(bytes);
  const read = READERS[`${format.tag}/${format.bitsPerSample}`];
  if (!read) {
    throw new Error(
      `The WAV's format ${format.tag} with ${format.bitsPerSample} bits cannot be read; save it as PCM (8 to 32 bits), float, A-law or µ-law.`,
    );
  }
  if (format.channels < 1 || format.channels > MOST_CHANNELS) {
    throw new Error(`The WAV has ${format.channels} channels; save it as mono or stereo.`);
  }
  const resampler = createResampler(format.rateHz);
  const frames = Math.floor(data.byteLength / ((format.bitsPerSample / 8) * format.channels));
  if (frames === 0) throw new Error("The WAV contains no audio.");
  if (frames > mostSeconds * format.rateHz) {
    throw new Error(`The WAV may last at most ${mostSeconds} seconds; shorten it.`);
  }
  const parts: Int16Array[] = [];
  for (let from = 0; from < frames; from += FRAMES_PER_STEP) {
    parts.push(resampler.push(mixed(data, format, read, from, Math.min(frames, from + FRAMES_PER_STEP))));
  }
  return joined([...parts, resampler.flush()]);
}

export function secondsOf(samples: Int16Array): number {
  return samples.length / G711_SAMPLE_RATE_HZ;
}

function mixed(
  data: DataView,
  { channels, bitsPerSample }: WavFormat,
  read: SampleReader,
  from: number,
  to: number,
): Float32Array {
  const sampleBytes = bitsPerSample / 8;
  const mono = new Float32Array(to - from);
  for (let frame = from; frame < to; frame++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) sum += read(data, (frame * channels + channel) * sampleBytes);
    mono[frame - from] = sum / channels;
  }
  return mono;
}

function chunksOf(bytes: Uint8Array): { format: WavFormat; data: DataView } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const nameAt = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));
  if (view.byteLength < 12 || nameAt(0) !== "RIFF" || nameAt(8) !== "WAVE") {
    throw new Error("This is not a WAV file: it does not begin with RIFF and WAVE.");
  }
  let format: WavFormat | null = null;
  let chunks = 0;
  for (let at = 12; at + 8 <= view.byteLength;) {
    chunks += 1;
    if (chunks > MOST_CHUNKS) throw new Error(`The WAV has more than ${MOST_CHUNKS} chunks; save it again.`);
    const name = nameAt(at);
    const declared = view.getUint32(at + 4, true);
    // Streaming voices write a size of 0 or all ones: the rest of the file is audio.
    const rest = view.byteLength - at - 8;
    const size = name === "data" && (declared === 0 || declared > rest) ? rest : declared;
    if (size > rest) throw new Error(`The WAV is cut off inside its ${JSON.stringify(name)} chunk.`);
    if (name === "fmt ") format = readFormat(new DataView(view.buffer, view.byteOffset + at + 8, size));
    if (name === "data") {
      if (!format) throw new Error("The WAV's audio comes before its format.");
      return { format, data: new DataView(view.buffer, view.byteOffset + at + 8, size) };
    }
    at += 8 + size + (size % 2);
  }
  throw new Error("The WAV contains no audio: its data chunk is missing.");
}

function readFormat(body: DataView): WavFormat {
  if (body.byteLength < 16) throw new Error("The WAV's format chunk is too short.");
  const tag = body.getUint16(0, true);
  return {
    // The extensible format has the actual tag at the start of its GUID.
    tag: tag === WAVE_FORMAT.extensible && body.byteLength >= 26 ? body.getUint16(24, true) : tag,
    channels: body.getUint16(2, true),
    rateHz: body.getUint32(4, true),
    bitsPerSample: body.getUint16(14, true),
  };
}

function joined(parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
