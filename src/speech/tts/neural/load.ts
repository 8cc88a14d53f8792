// Puts the neural voice together: the networks, the voices' tables and what it knows of English. About a second of work,
// in steps, so that its thread beats in between.
import { othersFirst } from "../../../core/clock.ts";
import { joinSounds } from "../../../audio/telephone-sound.ts";
import type { Runtime } from "../../onnx/runtime.ts";
import { readWeights, WEIGHTS } from "../../onnx/weights.ts";
import { SPEED, type Pace } from "../pace.ts";
import { VOICE_NAMES, type VoiceName } from "../voices.ts";
import { createDictionary } from "./dictionary.ts";
import { finished } from "./finish.ts";
import { createLettersToSounds } from "./letters-to-sounds.ts";
import { createNeuralVoice } from "./neural-voice.ts";
import { numbersOf } from "../kokoro/letters.ts";
import { phonemesOf } from "./phonemes.ts";
import { createWordSounds } from "./word-sounds.ts";

/** A sentence at 8 kHz. */
export type Synthesise = (sentence: string, voice: VoiceName, pace?: Pace) => Int16Array<ArrayBuffer>;

const TABLES: Readonly<Record<VoiceName, keyof typeof WEIGHTS>> = {
  heart: "voiceHeart",
  michael: "voiceMichael",
  emma: "voiceEmma",
  alpha: "voiceAlpha",
};

/** How English words sound. */
export async function loadEnglishWords() {
  return createWordSounds({
    dictionary: createDictionary(await readWeights(WEIGHTS.englishWords)),
    predict: createLettersToSounds(numbersIn(await readWeights(WEIGHTS.englishLetters))),
  });
}

export async function loadNeuralVoice(runtime: Runtime): Promise<Synthesise> {
  const words = await loadEnglishWords();
  const tables = new Map<VoiceName, Float32Array>();
  for (const name of VOICE_NAMES) tables.set(name, numbersIn(await readWeights(WEIGHTS[TABLES[name]])));
  const front = runtime.openModel(await readWeights(WEIGHTS.voiceFront));
  await othersFirst();
  const decoder = runtime.openModel(await readWeights(WEIGHTS.voiceDecoder));
  await othersFirst();
  const utter = createNeuralVoice({ front, decoder });

  return (sentence, voice, pace = "usual") => {
    const speed = SPEED[pace];
    const manner = tables.get(voice);
    if (!manner) throw new Error(`There is no table for the voice ${voice}.`);
    const parts = numbersOf(phonemesOf(sentence, words));
    if (parts.length === 0) throw new Error("There is nothing in this sentence that can be said.");
    return joinSounds(
      parts.map((sounds, i) =>
        finished(utter({ sounds, manner, speed }), i + 1 < parts.length ? "" : sentence, voice, speed),
      ),
    );
  };
}

/** 32-bit floats, little-endian as every machine that Bun runs on. */
export function numbersIn(bytes: Uint8Array): Float32Array {
  return new Float32Array(bytes.slice().buffer);
}
