// Computes the waveform of a recording: loudness of each side over time. Reads RIFF/WAVE with G.711, the format of all
// our recordings.
import { decodeTable, type G711Law } from "../../../audio/g711.ts";

export interface Waveform {
  durationSeconds: number;
  /** Per channel, the peak of each stretch relative to the overall peak, 0 to 1. */
  peaks: Float32Array[];
}

/** WAVE_FORMAT_ALAW and WAVE_FORMAT_MULAW. */
const LAWS: Record<number, G711Law> = { 6: "PCMA", 7: "PCMU" };
const RIFF_HEAD_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;

/** Null for other formats: the player then has no waveform. */
export function waveformOf(file: ArrayBuffer, stretches: number): Waveform | null {
  const view = new DataView(file);
  if (file.byteLength < RIFF_HEAD_BYTES || textAt(view, 0) !== "RIFF" || textAt(view, 8) !== "WAVE") return null;
  let format: { law: G711Law; channels: number; rateHz: number } | null = null;
  for (let at = RIFF_HEAD_BYTES; at + CHUNK_HEAD_BYTES <= file.byteLength;) {
    const [name, size] = [textAt(view, at), view.getUint32(at + 4, true)];
    const body = at + CHUNK_HEAD_BYTES;
    if (name === "fmt ") format = formatAt(view, body);
    if (name === "data") {
      // The length in the header exceeds the file if the recorder was interrupted.
      const bytes = new Uint8Array(file, body, Math.min(size, file.byteLength - body));
      return format && peaksOf(bytes, format, stretches);
    }
    // Chunks are padded to an even length.
    at = body + size + (size % 2);
  }
  return null;
}

function formatAt(view: DataView, at: number) {
  if (at + 16 > view.byteLength) return null;
  const law = LAWS[view.getUint16(at, true)];
  const channels = view.getUint16(at + 2, true);
  const rateHz = view.getUint32(at + 4, true);
  return law === undefined || channels === 0 || rateHz === 0 ? null : { law, channels, rateHz };
}

function peaksOf(
  bytes: Uint8Array,
  { law, channels, rateHz }: { law: G711Law; channels: number; rateHz: number },
  stretches: number,
): Waveform {
  const loudness = decodeTable(law).map((sample) => Math.min(Math.abs(sample), 32_767));
  const frames = Math.floor(bytes.length / channels);
  const peaks = Array.from({ length: channels }, () => new Float32Array(stretches));
  let loudest = 1;
  for (let frame = 0; frame < frames; frame++) {
    const stretch = Math.floor((frame * stretches) / frames);
    for (let channel = 0; channel < channels; channel++) {
      const sample = loudness[bytes[frame * channels + channel] ?? 0] ?? 0;
      const row = peaks[channel];
      if (row && sample > (row[stretch] ?? 0)) row[stretch] = sample;
      if (sample > loudest) loudest = sample;
    }
  }
  return { durationSeconds: frames / rateHz, peaks: peaks.map((row) => row.map((peak) => peak / loudest)) };
}

function textAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));
}
