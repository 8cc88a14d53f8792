// Reads a µ-law WAV strictly, chunk by chunk, so that a wrong header fails a test instead of a player.
export interface Wav {
  durationSeconds: number;
  /** Per channel, 16-bit linear. */
  channels: [left: Int16Array, right: Int16Array];
}

export const SAMPLE_RATE_HZ = 8_000;

export function parseWav(bytes: Buffer): Wav {
  const text = (at: number) => bytes.toString("latin1", at, at + 4);
  if (text(0) !== "RIFF" || text(8) !== "WAVE") throw new Error("not a RIFF WAVE file");
  if (bytes.readUInt32LE(4) !== bytes.length - 8) throw new Error("the RIFF size is not the file's size");

  const chunks = new Map<string, Buffer>();
  for (let at = 12; at < bytes.length;) {
    const size = bytes.readUInt32LE(at + 4);
    const body = bytes.subarray(at + 8, at + 8 + size);
    if (body.length !== size) throw new Error(`the chunk ${text(at)} is cut off`);
    chunks.set(text(at), body);
    at += 8 + size + (size % 2);
  }
  const format = chunks.get("fmt ");
  const fact = chunks.get("fact");
  const data = chunks.get("data");
  if (!format || !fact || !data) throw new Error("fmt, fact or data is missing");

  const [tag, channelCount, bitsPerSample] = [0, 2, 14].map((at) => format.readUInt16LE(at));
  const [rateHz, bytesPerSecond] = [format.readUInt32LE(4), format.readUInt32LE(8)];
  const bytesPerFrame = format.readUInt16LE(12);
  if (tag !== 7 || channelCount !== 2 || bitsPerSample !== 8) throw new Error("not stereo 8-bit µ-law");
  if (rateHz !== SAMPLE_RATE_HZ || bytesPerFrame !== 2 || bytesPerSecond !== rateHz * bytesPerFrame) {
    throw new Error("not 8 kHz, or its rates contradict each other");
  }
  const frames = data.length / bytesPerFrame;
  if (fact.readUInt32LE(0) !== frames) throw new Error("fact does not hold the number of frames");

  const channel = (offset: number) => Int16Array.from({ length: frames }, (_, i) => fromMulaw(data[i * 2 + offset]!));
  return { durationSeconds: frames / SAMPLE_RATE_HZ, channels: [channel(0), channel(1)] };
}

/** Root mean square between two moments; full scale is 32,767. */
export function loudness(samples: Int16Array, fromSeconds: number, toSeconds: number): number {
  const part = samples.subarray(Math.round(fromSeconds * SAMPLE_RATE_HZ), Math.round(toSeconds * SAMPLE_RATE_HZ));
  return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length);
}

/** ITU-T G.711. */
function fromMulaw(byte: number): number {
  const bits = ~byte & 0xff;
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits & 0x70) >> 4)) - 0x84;
  return bits & 0x80 ? -magnitude : magnitude;
}
