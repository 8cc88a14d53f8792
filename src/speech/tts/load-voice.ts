// Selects the voice: the neural one, or Flite in builds for platforms without ONNX Runtime.
import { messageOf } from "../../core/errors.ts";
import type { Runtime } from "../onnx/runtime.ts";
import { loadFlite } from "./flite.ts";
import { fliteFile } from "./flite-file.ts";
import { loadNeuralVoice, type Synthesise } from "./neural/load.ts";
import { unmarked } from "./pronunciation.ts";
import { isHindiVoice } from "./voices.ts";

export interface LoadedVoice {
  synthesise: Synthesise;
  /** Why Flite is used; null with the neural voice. */
  fallbackReason: string | null;
}

export async function loadVoice(loadOnnx: () => Promise<Runtime>): Promise<LoadedVoice> {
  try {
    return { synthesise: await loadNeuralVoice(await loadOnnx()), fallbackReason: null };
  } catch (error) {
    if (fliteFile === null) throw error;
    const speak = await loadFlite();
    return {
      synthesise(sentence, voice, pace) {
        if (isHindiVoice(voice)) throw new Error("The simple voice supports English only.");
        return speak(unmarked(sentence), pace);
      },
      fallbackReason: messageOf(error),
    };
  }
}
