// Loads the neural voice: networks, voice tables, and English and Hindi pronunciation. Takes about one second, in
// steps, so that its thread can send heartbeats.
import { othersFirst } from "../../../core/clock.ts";
import { joinSounds } from "../../../audio/telephone-sound.ts";
import type { Runtime } from "../../onnx/runtime.ts";
import { readWeights, WEIGHTS } from "../../onnx/weights.ts";
import { hindiPhonemes } from "./hindi-phonemes.ts";
import { SPEED, type Pace } from "../pace.ts";
import { isHindiVoice, type BuiltInVoice } from "../voices.ts";
import { createDictionary } from "./dictionary.ts";
import { finished } from "./finish.ts";
import { numbersOf } from "./letters.ts";
import { createLettersToSounds } from "./letters-to-sounds.ts";
import { createNeuralVoice } from "./neural-voice.ts";
import { phonemesOf } from "./phonemes.ts";
import { createWordSounds } from "./word-sounds.ts";

/** Synthesises a sentence or clause at 8 kHz. */
export type Synthesise = (sentence: string, voice: BuiltInVoice, pace?: Pace) => Int16Array<ArrayBuffer>;

const TABLES: Readonly<Record<BuiltInVoice, keyof typeof WEIGHTS>> = {
  heart: "voiceHeart",
  michael: "voiceMichael",
  emma: "voiceEmma",
  alpha: "voiceAlpha",
  "hi-alpha": "voiceAlpha",
  "hi-beta": "voiceBeta",
  "hi-omega": "voiceOmega",
  "hi-psi": "voicePsi",
};

/** Overrides for ./scripts/voice-hindi. */
export interface VoiceTrial {
  hindiDecoder?: keyof typeof WEIGHTS;
  /** Seed of the decoder's noise. */
  seed?: () => number;
}

/** English pronunciation. */
export async function loadEnglishWords() {
  return createWordSounds({
    dictionary: createDictionary(await readWeights(WEIGHTS.englishWords)),
    predict: createLettersToSounds(numbersIn(await readWeights(WEIGHTS.englishLetters))),
  });
}

export async function loadNeuralVoice(
  runtime: Runtime,
  { hindiDecoder = "voiceHindiDecoder", seed = () => 0 }: VoiceTrial = {},
): Promise<Synthesise> {
  const words = await loadEnglishWords();
  const tables = new Map<string, Float32Array>();
  for (const [name, table] of Object.entries(TABLES)) tables.set(name, numbersIn(await readWeights(WEIGHTS[table])));
  const front = runtime.openModel(await readWeights(WEIGHTS.voiceFront));
  await othersFirst();
  const english = runtime.openModel(await readWeights(WEIGHTS.voiceDecoder));
  await othersFirst();
  const hindi = runtime.openModel(await readWeights(WEIGHTS[hindiDecoder]));
  await othersFirst();
  const utter = {
    english: createNeuralVoice({ front, decoder: english }),
    hindi: createNeuralVoice({ front, decoder: hindi }),
  };

  return (sentence, voice, pace = "usual") => {
    const speed = SPEED[pace];
    const manner = tables.get(voice);
    if (!manner) throw new Error(`No table for the voice ${voice}.`);
    const isHindi = isHindiVoice(voice);
    const parts = numbersOf(isHindi ? hindiPhonemes(sentence, words) : phonemesOf(sentence, words));
    if (parts.length === 0) throw new Error("The sentence contains nothing pronounceable.");
    const speak = isHindi ? utter.hindi : utter.english;
    return joinSounds(
      parts.map((sounds, i) =>
        finished(
          speak({ sounds, manner, speed, seed: seed() }),
          i + 1 < parts.length ? "" : sentence.trim(),
          voice,
          speed,
        ),
      ),
    );
  };
}

/** 32-bit floats, little-endian on every platform of Bun. */
export function numbersIn(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer);
}
