// How long words take on a line on which nobody hears them.

/** As long as the built-in voice takes: 58 to 65 ms a letter, so that its words fit where they are recorded. */
const LETTER_MS = 63;

export function spokenMs(words: string): number {
  return words.trim().length * LETTER_MS;
}
