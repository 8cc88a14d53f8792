// Where sound was lost on its way to us. Words survive single packets, which are made up for; a hole that a short word fits into is
// another matter: of "No, I am her brother" a "Yeah" was left.
const FRAME_MS = 20;
/** Half of a short "no". Where every tenth packet is lost by chance, so many in a row are lost once in half an hour of talk. */
const HOLE_MS = 100;
/** A word may be lost before we hear that somebody speaks. */
const BEFORE_MS = 400;

export interface Holes {
  /** With every frame: how many turned out to be lost since the one before. */
  tick(lost: number): void;
  /** Whether there was one since shortly before this moment, in milliseconds of audio. */
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
