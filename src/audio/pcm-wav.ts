// Writes samples as mono WAV in 16-bit PCM, the input format of recognisers.

export function pcmWav(samples: Int16Array, rateHz: number): Buffer {
  const bytes = Buffer.alloc(44 + samples.length * 2);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20); // PCM
  bytes.writeUInt16LE(1, 22); // mono
  bytes.writeUInt32LE(rateHz, 24);
  bytes.writeUInt32LE(rateHz * 2, 28); // bytes per second
  bytes.writeUInt16LE(2, 32); // bytes per frame
  bytes.writeUInt16LE(16, 34); // bits per sample
  bytes.write("data", 36);
  bytes.writeUInt32LE(samples.length * 2, 40);
  for (const [i, sample] of samples.entries()) bytes.writeInt16LE(sample, 44 + i * 2);
  return bytes;
}
