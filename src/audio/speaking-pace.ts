// Duration of spoken words, for simulated lines without audio.

/** The built-in voice takes 58 to 65 ms per letter, so its words fit the simulated time. */
const LETTER_MS = 63;

export function spokenMs(words: string): number {
  return words.trim().length * LETTER_MS;
}
