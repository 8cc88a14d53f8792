// A clause of Kokoro as the telephone gets it: at 8 kHz, without the network's lead and trail, with silent pauses, at the
// level of recorded words, and with the pause that its last sign asks for.
import { G711_SAMPLE_RATE_HZ } from "../../../audio/g711.ts";
import { gatePauses } from "../../../audio/gate.ts";
import { createResampler } from "../../../audio/resample.ts";
import { atSpeechLevel } from "../../../audio/speech-level.ts";
import { joinSounds } from "../../../audio/telephone-sound.ts";

export const KOKORO_RATE_HZ = 24_000;
const FULL_SCALE = 32_767;

/** Seconds of silence at the end. */
const PAUSE_AFTER: readonly (readonly [sign: RegExp, seconds: number])[] = [
  [/[.!?।॥]$/, 0.22],
  [/[,;:]$/, 0.12],
];
const SHORTEST_PAUSE = 0.04;

/** `raw`: 24 kHz, from −1 to 1. */
export function finishedClause(raw: Float32Array, clause: string): Int16Array<ArrayBuffer> {
  const resampler = createResampler(KOKORO_RATE_HZ);
  const narrow = joinSounds([resampler.push(raw.map((sample) => sample * FULL_SCALE)), resampler.flush()]);
  const sound = Float32Array.from(narrow, (sample) => sample / FULL_SCALE);
  const active = gatePauses(sound);
  if (!active) throw new Error("The Hindi voice made no sound: every sample is silent.");
  const speech = Int16Array.from(sound.subarray(active.from, active.to), (sample) => Math.round(sample * FULL_SCALE));
  const pause = PAUSE_AFTER.find(([sign]) => sign.test(clause.trim()))?.[1] ?? SHORTEST_PAUSE;
  return joinSounds([atSpeechLevel(speech), new Int16Array(Math.round(pause * G711_SAMPLE_RATE_HZ))]);
}
