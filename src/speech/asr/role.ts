// What a recogniser's thread does: loads the networks, finds out how fast this machine is, and turns sound into words.
import type { Runtime } from "../onnx/runtime.ts";
import { withLessNoise } from "./less-noise.ts";
import { loadMoonshine, type Moonshine } from "./moonshine.ts";
import { serveRecogniser, type RecogniserServer } from "./server.ts";
import { forRecogniser } from "./utterance.ts";

/** The quickest of them counts; the first grows the memory that the others find. */
const REHEARSALS = 3;

export interface RecogniserRole extends Pick<RecogniserServer, "stopwatch" | "recognised"> {
  workwatch: () => () => number;
  measured: (utteranceMs: number) => void;
}

export async function beRecogniser(runtime: Runtime, role: RecogniserRole): Promise<(port: MessagePort) => void> {
  const moonshine = await loadMoonshine(runtime);
  role.measured(measureRecogniser(moonshine, role.workwatch));
  const recognise = (samples: Int16Array) => ({
    ...moonshine.transcribe(forRecogniser(withLessNoise(samples))),
    alarms: [],
  });
  return (port) => serveRecogniser(port, { ...role, recognise });
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
