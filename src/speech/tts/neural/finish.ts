// Post-processing of a synthesised sentence for the telephone: trims leading and trailing noise, silences pauses,
// adjusts the level to that of recordings, and adds the pause for the final punctuation mark.
import { G711_SAMPLE_RATE_HZ } from "../../../audio/g711.ts";
import { gatePauses } from "../../../audio/gate.ts";
import { gainOfDb, limited, SPEECH_LEVEL_DB } from "../../../audio/speech-level.ts";
import { isHindiVoice, type BuiltInVoice } from "../voices.ts";

/**
 * Raw active level of each voice in dBFS: the mean of twelve clinic sentences (Hindi: 33), which differ by at most 1.5
 * dB. A fixed gain keeps the relative loudness of clauses.
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

/** The Hindi voices are louder, and so are the artefacts before and after a clause. */
const EDGE_BELOW_DB = 26;

/** Seconds of silence at the end; the network's own is half a second or more. */
const PAUSE_AFTER: readonly (readonly [sign: RegExp, seconds: number])[] = [
  [/[.!?।॥]$/, 0.22],
  [/[,;:]$/, 0.12],
];
const SHORTEST_PAUSE = 0.04;

/** `speed`: relative to the usual; the pause is scaled with it. */
export function finished(raw: Float32Array, sentence: string, voice: BuiltInVoice, speed = 1): Int16Array<ArrayBuffer> {
  const active = gatePauses(raw, isHindiVoice(voice) ? RAW_LEVEL_DB[voice] - EDGE_BELOW_DB : undefined);
  if (!active) throw new Error("The built-in voice produced no audio: every sample is silent.");
  const gain = gainOfDb(SPEECH_LEVEL_DB - RAW_LEVEL_DB[voice]);
  const pause = PAUSE_AFTER.find(([sign]) => sign.test(sentence))?.[1] ?? SHORTEST_PAUSE;
  const samples = new Int16Array(active.to - active.from + Math.round((pause / speed) * G711_SAMPLE_RATE_HZ));
  for (let i = active.from; i < active.to; i++) samples[i - active.from] = limited((raw[i] ?? 0) * gain);
  return samples;
}
