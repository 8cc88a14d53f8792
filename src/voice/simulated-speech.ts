// Words that nobody will hear: on a simulated line they stand for themselves, and take as long as they would be spoken.
import { SECOND_MS } from "../core/clock.ts";
import type { Sound } from "../telephony/port.ts";

/** As the built-in voice speaks. */
const WORDS_PER_SECOND = 3;
const SHORTEST_SECONDS = 0.5;
/** Nobody listens longer; a greeting may be as long as two minutes. */
const LONGEST_SECONDS = 120;

export async function simulatedSpeech(text: string): Promise<Sound | null> {
  const count = text.split(/\s+/).filter((word) => word !== "").length;
  if (count === 0) return null;
  const seconds = Math.min(Math.max(count / WORDS_PER_SECOND, SHORTEST_SECONDS), LONGEST_SECONDS);
  return { samples: null, lengthMs: seconds * SECOND_MS, words: text };
}
