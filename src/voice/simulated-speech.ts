// Silent speech for simulated lines: text with the duration that speaking it would take.
import { SECOND_MS } from "../core/clock.ts";
import { clausesOf } from "../speech/tts/clauses.ts";
import { SPEED, type Pace } from "../speech/tts/pace.ts";
import type { Voice } from "../speech/tts/port.ts";
import type { Sound } from "../telephony/port.ts";
import { spokenMs } from "../audio/speaking-pace.ts";

/** Pause after each phrase. */
const BREATH_MS = 400;
/** Upper bound; the longest greeting takes two minutes. */
const LONGEST_MS = 120 * SECOND_MS;

export async function simulatedSpeech(text: string, pace: Pace = "usual"): Promise<Sound | null> {
  const lengthMs = spokenMs(text) / SPEED[pace];
  if (lengthMs === 0) return null;
  return { samples: null, lengthMs: Math.min(lengthMs + BREATH_MS, LONGEST_MS), words: text };
}

export const simulatedVoice: Voice = {
  speak: (text) => simulatedSpeech(text),
  say(text, { pace }) {
    const clauses = clausesOf(text);
    return { next: async () => simulatedSpeech(clauses.shift() ?? "", pace), cancel: () => void clauses.splice(0) };
  },
};
