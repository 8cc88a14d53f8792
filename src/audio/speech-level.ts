// How loud speech is, as people hear it: the level while somebody speaks, without the pauses (after ITU-T P.56). Recorded
// words and every built-in voice are brought to the same.

/**
 * In dBFS, a full-scale square wave being 0. Somewhat louder than P.56's nominal −26, as announcements are: a telephone
 * network turns down what is loud, and an old person's phone turns up nothing. Peaks lie some 14 dB above.
 */
export const SPEECH_LEVEL_DB = -20;

/** 10 ms. */
const WINDOW_SAMPLES = 80;
/** Windows this far below the loudest are pauses. */
const PAUSE_BELOW_LOUDEST_DB = 30;
const FULL_SCALE = 32_768;
/** −6 dBFS: what is louder is bent softly, and never reaches full scale. */
const KNEE = 0.5;
const ROOM_ABOVE_KNEE = 0.4;

export const gainOfDb = (decibels: number): number => 10 ** (decibels / 20);

/** In dBFS. Null where there is nothing to hear. */
export function activeLevelDb(samples: Int16Array): number | null {
  const powers = windowPowers(samples);
  const loudest = powers.reduce((most, power) => Math.max(most, power), 0);
  if (loudest === 0) return null;
  const active = powers.filter((power) => power > loudest * 10 ** (-PAUSE_BELOW_LOUDEST_DB / 10));
  const mean = active.reduce((sum, power) => sum + power, 0) / active.length;
  return 10 * Math.log10(mean);
}

/** One sample of full scale 1 as 16 bits; loud ones bent below full scale. */
export function limited(sample: number): number {
  const size = Math.abs(sample);
  const bent = size <= KNEE ? size : KNEE + ROOM_ABOVE_KNEE * Math.tanh((size - KNEE) / ROOM_ABOVE_KNEE);
  return Math.round(Math.sign(sample) * bent * (FULL_SCALE - 1));
}

/** A copy at SPEECH_LEVEL_DB, turned up or down by at most so many decibels. Silence stays as it is. */
export function atSpeechLevel(samples: Int16Array, mostDb = Infinity): Int16Array<ArrayBuffer> {
  const level = activeLevelDb(samples);
  const changeDb = level === null ? 0 : Math.max(-mostDb, Math.min(mostDb, SPEECH_LEVEL_DB - level));
  const gain = gainOfDb(changeDb) / FULL_SCALE;
  return Int16Array.from(samples, (sample) => limited(sample * gain));
}

/** A copy that is louder by so many decibels; its peaks are bent below full scale. */
export function louder(samples: Int16Array, byDb: number): Int16Array<ArrayBuffer> {
  const gain = gainOfDb(byDb) / FULL_SCALE;
  return Int16Array.from(samples, (sample) => limited(sample * gain));
}

/** Mean square of each 10 ms, a full-scale square wave being 1. What is left at the end counts as a window. */
function windowPowers(samples: Int16Array): number[] {
  return Array.from({ length: Math.ceil(samples.length / WINDOW_SAMPLES) }, (_, window) => {
    const part = samples.subarray(window * WINDOW_SAMPLES, (window + 1) * WINDOW_SAMPLES);
    return part.reduce((sum, sample) => sum + (sample / FULL_SCALE) ** 2, 0) / part.length;
  });
}
