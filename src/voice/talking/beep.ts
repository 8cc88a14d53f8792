// The tone after which a machine takes a message. A pure tone is foretold by its last two samples; a voice, noise and the double
// tones of keys are not.

/** Answering machines beep between these; voices hum below, and ringing tones of two frequencies are no pure tone. */
const LOWEST_HZ = 380;
const HIGHEST_HZ = 2_500;
const RATE_HZ = 8_000;
/** A frame of 20 ms each. No syllable holds one note for so long. */
const SHORTEST_FRAMES = 9;
/** Nobody beeps for three seconds: that is a fax, or a line out of order. */
const LONGEST_FRAMES = 150;
/** What the last two samples do not foretell, of its power: G.711 leaves a hundredth or so. */
const MOST_SURPRISE = 0.08;
const DRIFT_HZ = 25;
/** Two tones close to each other swell and fade many times a second: they show in parts of 5 ms. */
const PARTS = 4;
const MOST_SWELL = 1.5;
/** Root mean square; about -45 dBFS. */
const QUIET = 180;

export interface BeepWatch {
  /** The next 20 ms; true where a beep has just ended. */
  hear(frame: Int16Array): boolean;
}

export function createBeepWatch(): BeepWatch {
  let firstHz = 0;
  let frames = 0;
  return {
    hear(frame) {
      const hz = toneIn(frame);
      const goesOn = hz !== null && frames > 0 && Math.abs(hz - firstHz) <= DRIFT_HZ;
      if (goesOn) {
        frames++;
        return false;
      }
      const wasBeep = frames >= SHORTEST_FRAMES && frames <= LONGEST_FRAMES;
      firstHz = hz ?? 0;
      frames = hz === null ? 0 : 1;
      return wasBeep;
    },
  };
}

/** Its frequency, where the frame is one tone and nothing else. */
function toneIn(frame: Int16Array): number | null {
  if (!isSteady(frame)) return null;
  let power = 0;
  let product = 0;
  for (let i = 2; i < frame.length; i++) {
    const now = frame[i - 1] ?? 0;
    power += now * now;
    product += now * ((frame[i] ?? 0) + (frame[i - 2] ?? 0));
  }
  const twiceCosine = product / power;
  let surprise = 0;
  for (let i = 2; i < frame.length; i++) {
    surprise += ((frame[i] ?? 0) - twiceCosine * (frame[i - 1] ?? 0) + (frame[i - 2] ?? 0)) ** 2;
  }
  const hz = (Math.acos(Math.max(-1, Math.min(1, twiceCosine / 2))) * RATE_HZ) / (2 * Math.PI);
  return surprise > MOST_SURPRISE * power || hz < LOWEST_HZ || hz > HIGHEST_HZ ? null : hz;
}

/** As loud in each of its parts, and loud enough. */
function isSteady(frame: Int16Array): boolean {
  const powers = Array.from({ length: PARTS }, (_, part) => {
    const samples = frame.subarray((part * frame.length) / PARTS, ((part + 1) * frame.length) / PARTS);
    return samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  });
  const least = Math.min(...powers);
  return least >= QUIET * QUIET && Math.max(...powers) <= MOST_SWELL * least;
}
