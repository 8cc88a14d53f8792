// Measures the speed of the voice on this machine. It also serves as warm-up, so that the first caller does not wait
// for one-time work.
import { G711_SAMPLE_RATE_HZ } from "../../audio/g711.ts";
import type { Synthesise } from "./neural/load.ts";
import { DEFAULT_HINDI_VOICE } from "./hindi/voices.ts";
import { DEFAULT_VOICE } from "./voices.ts";

/** As long as most of an agent's clauses. */
const CLAUSE = "You have an appointment on Friday, at ten thirty.";
const HINDI_CLAUSE = "शुक्रवार को साढ़े दस बजे आपका अपॉइंटमेंट है।";

/** Milliseconds of work per second of speech. The first run allocates memory. */
export function measureVoice(synthesise: Synthesise, workwatch: () => () => number): number {
  return quickestOf(() => synthesise(CLAUSE, DEFAULT_VOICE), workwatch);
}

/** Neural voice only: the simple voice does not support Hindi. */
export function measureHindi(synthesise: Synthesise, workwatch: () => () => number): number {
  return quickestOf(() => synthesise(HINDI_CLAUSE, DEFAULT_HINDI_VOICE), workwatch);
}

function quickestOf(speak: () => Int16Array, workwatch: () => () => number): number {
  let quickestMs = Infinity;
  for (let i = 0; i < 2; i++) {
    const tookMs = workwatch();
    const { length } = speak();
    quickestMs = Math.min(quickestMs, (tookMs() * G711_SAMPLE_RATE_HZ) / Math.max(1, length));
  }
  return quickestMs;
}
