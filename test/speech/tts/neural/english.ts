// English pronunciation of the neural voice, as shipped.
import { readWeights, WEIGHTS } from "../../../../src/speech/onnx/weights.ts";
import { createDictionary } from "../../../../src/speech/tts/neural/dictionary.ts";
import { createLettersToSounds } from "../../../../src/speech/tts/neural/letters-to-sounds.ts";
import { createWordSounds } from "../../../../src/speech/tts/neural/word-sounds.ts";

export const dictionary = createDictionary(await readWeights(WEIGHTS.englishWords));
export const lettersToSounds = createLettersToSounds(
  new Float32Array((await readWeights(WEIGHTS.englishLetters)).slice().buffer),
);
export const wordSounds = createWordSounds({ dictionary, predict: lettersToSounds });
