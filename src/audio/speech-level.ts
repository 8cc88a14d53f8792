// Active speech level without pauses (after ITU-T P.56). Recordings and all built-in voices are adjusted to the same
// level.

/**
 * In dBFS, with a full-scale square wave at 0. Slightly louder than the nominal −26 of P.56, as usual for
 * announcements: networks attenuate loud audio, and old phones do not amplify. Peaks are about 14 dB higher.
 */
export const SPEECH_LEVEL_DB = -20;

/** 10 ms. */
const WINDOW_SAMPLES = 80;
/** Windows this far below the loudest one are pauses. */
const PAUSE_BELOW_LOUDEST_DB = 30;
const FULL_SCALE = 32_768;
/** −6 dBFS: louder samples are soft-limited and never reach full scale. */
const KNEE = 0.5;
const ROOM_ABOVE_KNEE = 0.4;

export const gainOfDb = (decibels: number): number => 10 ** (decibels / 20);

/** In dBFS. Null for silence. */
export function activeLevelDb(samples: Int16Array): number | null {
  const powers = windowPowers(samples);
  const loudest = powers.reduce((most, power) => Math.max(most, power), 0);
  if (loudest === 0) return null;
  const active = powers.filter((power) => power > loudest * 10 ** (-PAUSE_BELOW_LOUDEST_DB / 10));
  const mean = active.reduce((sum, power) => sum + power, 0) / active.length;
  return 10 * Math.log10(mean);
}

/** Converts a sample of full scale 1 to 16 bits, with soft limiting. */
export function limited(sample: number): number {
  const size = Math.abs(sample);
  const bent = size <= KNEE ? size : KNEE + ROOM_ABOVE_KNEE * Math.tanh((size - KNEE) / ROOM_ABOVE_KNEE);
  return Math.round(Math.sign(sample) * bent * (FULL_SCALE - 1));
}

/** A copy at SPEECH_LEVEL_DB, changed by at most `mostDb`. Silence stays unchanged. */
export function atSpeechLevel(samples: Int16Array, mostDb = Infinity): Int16Array<ArrayBuffer> {
  const level = activeLevelDb(samples);
  const changeDb = level === null ? 0 : Math.max(-mostDb, Math.min(mostDb, SPEECH_LEVEL_DB - level));
  const gain = gainOfDb(changeDb) / FULL_SCALE;
  return Int16Array.from(samples, (sample) => limited(sample * gain));
}

/** A copy amplified by `byDb`, with soft limiting. */
export function louder(samples: Int16Array, byDb: number): Int16Array<ArrayBuffer> {
  const gain = gainOfDb(byDb) / FULL_SCALE;
  return Int16Array.from(samples, (sample) => limited(sample * gain));
}

/** Mean square of each 10 ms, with a full-scale square wave at 1. The remainder counts as a window. */
function windowPowers(samples: Int16Array): number[] {
  return Array.from({ length: Math.ceil(samples.length / WINDOW_SAMPLES) }, (_, window) => {
    const part = samples.subarray(window * WINDOW_SAMPLES, (window + 1) * WINDOW_SAMPLES);
    return part.reduce((sum, sample) => sum + (sample / FULL_SCALE) ** 2, 0) / part.length;
  });
}
