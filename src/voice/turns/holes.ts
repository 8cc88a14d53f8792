// Detects gaps from packet loss. Concealment covers single packets; a gap as long as a short word can change the
// meaning: of "No, I am her brother" only "Yeah" remained.
const FRAME_MS = 20;
/** Half of a short "no". At 10 % random loss, a gap this long occurs once in 30 minutes of talk. */
const HOLE_MS = 100;
/** A word may be lost before voice is detected. */
const BEFORE_MS = 400;

export interface Holes {
  /** Called for every frame with the number of frames lost before it. */
  tick(lost: number): void;
  /** Whether there was a gap since shortly before this audio time, in ms. */
  since(fromMs: number): boolean;
}

export function createHoles(): Holes {
  let heardMs = 0;
  let missingMs = 0;
  let newestEndMs = -Infinity;
  return {
    tick(lost) {
      heardMs += FRAME_MS;
      missingMs = lost > 0 ? missingMs + lost * FRAME_MS : 0;
      if (missingMs >= HOLE_MS) newestEndMs = heardMs;
    },
    since: (fromMs) => newestEndMs >= fromMs - BEFORE_MS,
  };
}
