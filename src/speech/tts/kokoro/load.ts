// Puts the Hindi voice together: whole Kokoro, the voices' tables, and what it knows of the English words inside Hindi. Some
// three seconds of work and 300 MB of memory, so it is loaded only where a call wants it.
import { othersFirst } from "../../../core/clock.ts";
import { joinSounds } from "../../../audio/telephone-sound.ts";
import { floats, floatsOf, integers, type Model, type Runtime } from "../../onnx/runtime.ts";
import { readWeights } from "../../onnx/weights.ts";
import type { AvailablePacks } from "../../packs/packs.ts";
import { hindiPhonemes } from "../hindi/phonemes.ts";
import { loadEnglishWords, numbersIn } from "../neural/load.ts";
import { finishedClause } from "./finish.ts";
import { numbersOf } from "./letters.ts";
import { HINDI_VOICES, type HindiVoice } from "./voices.ts";

/** A clause at 8 kHz. Holds up its thread for about two seconds a second of speech on a small core. */
export type SayInHindi = (clause: string, voice: HindiVoice) => Int16Array<ArrayBuffer>;

/** A voice's table has a row of manner for each length of a clause, up to this many sounds. */
const ROWS = 510;
const ROW_WIDTH = 256;

export async function loadKokoro(runtime: Runtime, pack: NonNullable<AvailablePacks["kokoro"]>): Promise<SayInHindi> {
  const english = await loadEnglishWords();
  const tables = new Map<HindiVoice, Float32Array>();
  for (const name of HINDI_VOICES) tables.set(name, numbersIn(await readWeights(pack[name])));
  const weights = await readWeights(pack.model);
  await othersFirst();
  const network = runtime.openModel(weights);
  await othersFirst();

  return (clause, voice) => {
    const manner = tables.get(voice);
    if (!manner) throw new Error(`There is no table for the voice ${voice}.`);
    const parts = numbersOf(hindiPhonemes(clause, english));
    if (parts.length === 0) throw new Error("There is nothing in this clause that a Hindi voice can say.");
    return joinSounds(
      parts.map((sounds, i) => finishedClause(utter(network, sounds, manner), i + 1 < parts.length ? "" : clause)),
    );
  };
}

/** 24 kHz, from −1 to 1. */
export function utter(network: Pick<Model, "run">, sounds: readonly number[], manner: Float32Array): Float32Array {
  const row = Math.min(sounds.length, ROWS - 1) * ROW_WIDTH;
  const said = network.run({
    input_ids: integers([0, ...sounds, 0]),
    style: floats(manner.slice(row, row + ROW_WIDTH), [1, ROW_WIDTH]),
    speed: floats(Float32Array.of(1), [1]),
  });
  return floatsOf(said["waveform"]);
}
