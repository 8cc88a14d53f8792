// Beep detector for answering machines. A pure tone is predictable from its last two samples; voices, noise and DTMF
// are not.

/** Range of answering machine beeps. Voices hum below it, and ringback tones of two frequencies are not pure. */
const LOWEST_HZ = 380;
const HIGHEST_HZ = 2_500;
const RATE_HZ = 8_000;
/** In frames of 20 ms. No syllable holds one note this long. */
const SHORTEST_FRAMES = 9;
/** A tone of three seconds is a fax or a fault of the line. */
const LONGEST_FRAMES = 150;
/** Share of the power that two-sample prediction leaves; G.711 alone leaves about 0.01. */
const MOST_SURPRISE = 0.08;
const DRIFT_HZ = 25;
/** Two close frequencies beat many times a second, which shows between parts of 5 ms. */
const PARTS = 4;
const MOST_SWELL = 1.5;
/** Root mean square; about -45 dBFS. */
const QUIET = 180;

export interface BeepWatch {
  /** Takes the next 20 ms; true when a beep has just ended. */
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

/** The frequency, if the frame is a single tone. */
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

/** Equally loud in all parts, and loud enough. */
function isSteady(frame: Int16Array): boolean {
  const powers = Array.from({ length: PARTS }, (_, part) => {
    const samples = frame.subarray((part * frame.length) / PARTS, ((part + 1) * frame.length) / PARTS);
    return samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  });
  const least = Math.min(...powers);
  return least >= QUIET * QUIET && Math.max(...powers) <= MOST_SWELL * least;
}
