// Which voice speaks: the neural one, and Flite where that cannot be loaded, so that a machine that ONNX Runtime was not
// built for still says its words.
import { messageOf } from "../../core/errors.ts";
import type { Runtime } from "../onnx/runtime.ts";
import { loadFlite } from "./flite.ts";
import { loadNeuralVoice, type Synthesise } from "./neural/load.ts";
import { unmarked } from "./pronunciation.ts";

export interface LoadedVoice {
  synthesise: Synthesise;
  /** Why it is only Flite; null where it is the neural voice. */
  fallbackReason: string | null;
}

export async function loadVoice(loadOnnx: () => Promise<Runtime>): Promise<LoadedVoice> {
  try {
    return { synthesise: await loadNeuralVoice(await loadOnnx()), fallbackReason: null };
  } catch (error) {
    const speak = await loadFlite();
    return { synthesise: (sentence, _, pace) => speak(unmarked(sentence), pace), fallbackReason: messageOf(error) };
  }
}
