// Prepares a synthesised sentence for the telephone: 8 kHz, at the common level, without leading silence.
import { G711_SAMPLE_RATE_HZ } from "./g711.ts";
import { createResampler } from "./resample.ts";
import { atSpeechLevel } from "./speech-level.ts";

/** Faint breath between words is far below this share of the peak. */
const SILENT_SHARE = 0.02;
/**
 * Flite starts with 250 ms of silence, which would be dead air after the answer. Its 220 ms at the end separate
 * sentences well.
 */
const LEAD_SAMPLES = 0.02 * G711_SAMPLE_RATE_HZ;

export function forTelephone(samples: Int16Array, rateHz: number): Int16Array<ArrayBuffer> {
  const resampler = createResampler(rateHz);
  const sound = joinSounds([resampler.push(samples), resampler.flush()]);
  const peak = sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  if (peak === 0) throw new Error("The built-in voice produced no audio: every sample is silent.");
  const begins = sound.findIndex((sample) => Math.abs(sample) > peak * SILENT_SHARE);
  return atSpeechLevel(sound.slice(Math.max(0, begins - LEAD_SAMPLES)));
}

/** Always a copy. */
export function joinSounds(parts: readonly Int16Array[]): Int16Array<ArrayBuffer> {
  const whole = new Int16Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
