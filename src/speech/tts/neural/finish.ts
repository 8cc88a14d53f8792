// A sentence of the neural voice as the telephone gets it: without the network's lead and trail, with silent pauses, at
// the level of recorded words, and with the pause that its last sign asks for.
import { G711_SAMPLE_RATE_HZ } from "../../../audio/g711.ts";
import { gatePauses } from "../../../audio/gate.ts";
import { gainOfDb, limited, SPEECH_LEVEL_DB } from "../../../audio/speech-level.ts";
import { isHindiVoice, type BuiltInVoice } from "../voices.ts";

/**
 * Active level of each voice as the network makes it, in dBFS: the mean of twelve clinic sentences (Hindi: 33), which
 * differ by 1.5 dB at most. A fixed gain keeps the clauses of a sentence as loud as they were meant.
 */
const RAW_LEVEL_DB: Readonly<Record<BuiltInVoice, number>> = {
  heart: -23.5,
  michael: -24.1,
  emma: -21.3,
  alpha: -14.8,
  "hi-alpha": -14.9,
  "hi-beta": -17.3,
  "hi-omega": -15.7,
  "hi-psi": -17.3,
};

/** The Hindi voices are louder, and so are the tones that they leave before and after a clause. */
const EDGE_BELOW_DB = 26;

/** Seconds of silence at the end; the network's own trail is half a second and more. */
const PAUSE_AFTER: readonly (readonly [sign: RegExp, seconds: number])[] = [
  [/[.!?।॥]$/, 0.22],
  [/[,;:]$/, 0.12],
];
const SHORTEST_PAUSE = 0.04;

/** `speed`: as a share of the usual; the pause is as much longer. */
export function finished(raw: Float32Array, sentence: string, voice: BuiltInVoice, speed = 1): Int16Array<ArrayBuffer> {
  const active = gatePauses(raw, isHindiVoice(voice) ? RAW_LEVEL_DB[voice] - EDGE_BELOW_DB : undefined);
  if (!active) throw new Error("The built-in voice made no sound: every sample is silent.");
  const gain = gainOfDb(SPEECH_LEVEL_DB - RAW_LEVEL_DB[voice]);
  const pause = PAUSE_AFTER.find(([sign]) => sign.test(sentence))?.[1] ?? SHORTEST_PAUSE;
  const samples = new Int16Array(active.to - active.from + Math.round((pause / speed) * G711_SAMPLE_RATE_HZ));
  for (let i = active.from; i < active.to; i++) samples[i - active.from] = limited((raw[i] ?? 0) * gain);
  return samples;
}
