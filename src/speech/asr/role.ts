// What a recogniser's thread does: loads the networks, finds out how fast this machine is, and turns sound into words.
import { messageOf } from "../../core/errors.ts";
import type { AddedRecogniser } from "../onnx/added-models.ts";
import type { Runtime } from "../onnx/runtime.ts";
import { loadMoonshine, type Moonshine } from "./moonshine.ts";
import { transcribeWell } from "./second-opinion.ts";
import { serveRecogniser, type RecogniserServer } from "./server.ts";

/** The quickest of them counts; the first grows the memory that the others find. */
const REHEARSALS = 2;

export interface RecogniserRole extends Pick<RecogniserServer, "stopwatch" | "recognised"> {
  workwatch: () => () => number;
  /** One that somebody brought, to be used in place of the built-in one. */
  added: AddedRecogniser | null;
  /** The one that was brought cannot be used; the built-in one serves. */
  fellBack: (reason: string) => void;
  measured: (utteranceMs: number) => void;
}

export async function beRecogniser(runtime: Runtime, role: RecogniserRole): Promise<(port: MessagePort) => void> {
  const moonshine = await loadFirst(runtime, role);
  role.measured(measureRecogniser(moonshine, role.workwatch));
  const recognise = (samples: Int16Array) => transcribeWell(moonshine, samples, role.stopwatch);
  return (port) => serveRecogniser(port, { ...role, recognise });
}

async function loadFirst(runtime: Runtime, { added, fellBack }: RecogniserRole): Promise<Moonshine> {
  if (added) {
    try {
      const moonshine = await loadMoonshine(runtime, added);
      // Other networks can be opened too, and fail only when they are run.
      moonshine.rehearse();
      return moonshine;
    } catch (error) {
      fellBack(messageOf(error));
    }
  }
  return loadMoonshine(runtime);
}

/** What an ordinary answer takes this machine's processor, whatever else it does at its start. */
export function measureRecogniser(moonshine: Moonshine, workwatch: RecogniserRole["workwatch"]): number {
  let quickestMs = Infinity;
  for (let i = 0; i < REHEARSALS; i++) {
    const tookMs = workwatch();
    moonshine.rehearse();
    quickestMs = Math.min(quickestMs, tookMs());
  }
  return quickestMs;
}
