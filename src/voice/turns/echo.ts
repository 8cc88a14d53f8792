// Echo detector: a hybrid or loudspeaker returns our own voice delayed and quieter. Correlates received with played
// audio at 2 kHz, where speech has most of its energy.

/** 8 kHz to 2 kHz: a sixteenth of the work, and the fundamental and first formant remain. */
const EVERY = 4;
const RATE_PER_MS = 2;
const FRAME_SAMPLES = 160;
const FRAME_MS = 20;
const STEP = FRAME_SAMPLES / EVERY;
/** Correlation window: a few syllables, enough to tell apart two voices of the same pitch. */
const COMPARED = 240 * RATE_PER_MS;
/** Longest observed round trip through mobile networks and loudspeakers; handsets cancel later echoes themselves. */
const LONGEST_DELAY = 460 * RATE_PER_MS;
const REMEMBERED = COMPARED + LONGEST_DELAY;
/** Correlation threshold without and with a known delay. Different voices reach 0.6. */
const ALIKE = 0.75;
const ALIKE_AT_KNOWN_DELAY = 0.5;
/** The delay is constant within a call; clocks drift by a sample or two. */
const DRIFT = 3;
/** A search takes 0.5 ms, so it does not run in every frame. */
const FRAMES_PER_SEARCH = 5;
/** Mean amplitude below this is inaudible: about -55 dBFS. */
const QUIET = 60;
/** The detector answers within a second or is given up. */
const VERDICTS = 128;

export interface EchoWatch {
  /** The next 20 ms received, and those played in the same tick; null for silence. */
  tick(heard: Int16Array, played: Int16Array | null): void;
  /** Whether the window ending at this audio time was an echo. */
  wasEcho(atMs: number): boolean;
}

export function createEchoWatch(): EchoWatch {
  const played = new Float32Array(REMEMBERED);
  const heard = new Float32Array(COMPARED);
  /** Prefix sums of the power of the played audio. */
  const powerUntil = new Float64Array(REMEMBERED + 1);
  const verdicts = new Uint8Array(VERDICTS);
  let frames = 0;
  let soundFrames = 0;
  let searchIn = 0;
  let knownDelay: number | null = null;

  /** Absolute correlation, 0 to 1: a handset may invert the waveform. */
  function likeness(delay: number, heardPower: number): number {
    const from = REMEMBERED - COMPARED - delay;
    const power = (powerUntil[from + COMPARED] ?? 0) - (powerUntil[from] ?? 0);
    // An echo is never louder than its source.
    if (power < heardPower) return 0;
    let product = 0;
    for (let i = 0; i < COMPARED; i++) product += (played[from + i] ?? 0) * (heard[i] ?? 0);
    return Math.abs(product) / Math.sqrt(power * heardPower);
  }

  function best(from: number, to: number, step: number, heardPower: number): { delay: number; alike: number } {
    let found = { delay: from, alike: 0 };
    for (let delay = Math.max(0, from); delay <= Math.min(LONGEST_DELAY, to); delay += step) {
      const alike = likeness(delay, heardPower);
      if (alike > found.alike) found = { delay, alike };
    }
    return found;
  }

  /** Tries every other delay first: at 2 kHz a peak also shows at its neighbours. */
  function search(heardPower: number): { delay: number; alike: number } {
    const { delay } = best(0, LONGEST_DELAY, 2, heardPower);
    return best(delay - 1, delay + 1, 1, heardPower);
  }

  function sumPowers(): void {
    let sum = 0;
    for (let i = 0; i < REMEMBERED; i++) {
      sum += (played[i] ?? 0) ** 2;
      powerUntil[i + 1] = sum;
    }
  }

  function judge(): boolean {
    if (soundFrames === 0) return false;
    let heardPower = 0;
    for (const sample of heard) heardPower += sample * sample;
    if (heardPower < QUIET * QUIET * COMPARED) return false;
    sumPowers();
    if (knownDelay !== null) {
      const { delay, alike } = best(knownDelay - DRIFT, knownDelay + DRIFT, 1, heardPower);
      if (alike >= ALIKE_AT_KNOWN_DELAY) {
        knownDelay = delay;
        return true;
      }
    }
    if (searchIn-- > 0) return false;
    searchIn = FRAMES_PER_SEARCH - 1;
    const { delay, alike } = search(heardPower);
    if (alike < ALIKE) return false;
    knownDelay = delay;
    return true;
  }

  return {
    tick(heardFrame, playedFrame) {
      shiftIn(heard, heardFrame);
      shiftIn(played, playedFrame);
      // Echo is impossible once the remembered audio is all silence.
      soundFrames = playedFrame ? REMEMBERED / STEP : Math.max(0, soundFrames - 1);
      frames++;
      verdicts[frames % VERDICTS] = judge() ? 1 : 0;
    },
    wasEcho(atMs) {
      const frame = Math.floor(atMs / FRAME_MS);
      return frame <= frames && frames - frame < VERDICTS && verdicts[frame % VERDICTS] === 1;
    },
  };
}

function shiftIn(memory: Float32Array, frame: Int16Array | null): void {
  memory.copyWithin(0, STEP);
  const from = memory.length - STEP;
  for (let i = 0; i < STEP; i++) {
    let sum = 0;
    if (frame) for (let j = 0; j < EVERY; j++) sum += frame[i * EVERY + j] ?? 0;
    memory[from + i] = sum / EVERY;
  }
}
