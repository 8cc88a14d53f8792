// Recogniser thread: loads the networks, measures the speed of this machine, and transcribes audio.
import { messageOf } from "../../core/errors.ts";
import type { AddedRecogniser } from "../onnx/added-models.ts";
import type { Runtime } from "../onnx/runtime.ts";
import { loadMoonshine, type Moonshine } from "./moonshine.ts";
import { transcribeWell } from "./second-opinion.ts";
import { serveRecogniser, type RecogniserServer } from "./server.ts";

/** The fastest run counts; the first one allocates memory. */
const REHEARSALS = 2;

export interface RecogniserRole extends Pick<RecogniserServer, "stopwatch" | "recognised"> {
  workwatch: () => () => number;
  /** A model added by the operator, used instead of the built-in one. */
  added: AddedRecogniser | null;
  /** The added model failed; the built-in one is used. */
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
      // An incompatible network may load and fail only when it runs.
      moonshine.rehearse();
      return moonshine;
    } catch (error) {
      fellBack(messageOf(error));
    }
  }
  return loadMoonshine(runtime);
}

/** Processor time of an ordinary answer, independent of other load at start-up. */
export function measureRecogniser(moonshine: Moonshine, workwatch: RecogniserRole["workwatch"]): number {
  let quickestMs = Infinity;
  for (let i = 0; i < REHEARSALS; i++) {
    const tookMs = workwatch();
    moonshine.rehearse();
    quickestMs = Math.min(quickestMs, tookMs());
  }
  return quickestMs;
}
