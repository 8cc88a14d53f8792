// Loudness of a sound.

/** Of a patient who says nothing yet: as loud as their words will be. */
const SPEECH_RMS = 3_300;
/** Speech, whose pauses are not counted in its level. */
const QUIET = 200;

export const rms = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / Math.max(1, samples.length));

export function activeRms(samples: Int16Array | Float32Array): number {
  let sum = 0;
  let count = 0;
  for (const sample of samples) {
    if (Math.abs(sample) < QUIET) continue;
    sum += sample ** 2;
    count++;
  }
  return count === 0 ? SPEECH_RMS : Math.sqrt(sum / count);
}
