// Spotter thread: loads the model, measures the speed of this machine, and spots alarms in speech.
import { messageOf } from "../../core/errors.ts";
import type { NativeGuard } from "../onnx/native-guard.ts";
import { readWeights, type Weights } from "../onnx/weights.ts";
import type { SoundRequest } from "../work-pool.ts";
import type { SpotAnswer } from "./protocol.ts";
import { loadSpotter, type Spotter } from "./spotter.ts";

/** The fastest run counts; the first one allocates memory. */
const REHEARSALS = 3;

export interface SpotterRole {
  workwatch: () => () => number;
  /** Processor time per second of speech. */
  measured: (secondMs: number) => void;
  /** Busy time. */
  spotted: (tookMs: number) => void;
}

export async function beSpotter(
  model: Weights | null,
  guard: NativeGuard,
  role: SpotterRole,
): Promise<(port: MessagePort) => void> {
  if (!model)
    throw new Error("This build comes without the phrase spotter. Run `ringward models list` to see how to add it.");
  const spotter = await loadSpotter(await readWeights(model), guard);
  role.measured(measureSpotter(spotter, role.workwatch));
  return (port) => serveSpotter(port, spotter.spot, role);
}

export function measureSpotter(spotter: Spotter, workwatch: SpotterRole["workwatch"]): number {
  let quickestMs = Infinity;
  for (let i = 0; i < REHEARSALS; i++) {
    const tookMs = workwatch();
    spotter.rehearse();
    quickestMs = Math.min(quickestMs, tookMs());
  }
  return quickestMs;
}

export function serveSpotter(
  port: MessagePort,
  spot: Spotter["spot"],
  { workwatch, spotted }: Pick<SpotterRole, "workwatch" | "spotted">,
): void {
  const answer = (message: SpotAnswer): void => port.postMessage(message, []);
  port.addEventListener("message", ({ data: { id, samples } }: MessageEvent<SoundRequest>) => {
    const tookMs = workwatch();
    try {
      answer({ id, ...spot(samples) });
    } catch (error) {
      answer({ id, error: messageOf(error) });
      // After a failure such as exhausted memory the engine is unreliable: a new thread replaces this one.
      throw error;
    }
    spotted(tookMs());
  });
  port.start();
}
