// What a spotter's thread does: loads the model, finds out how fast this machine is, and looks for alarms in what is said.
import { messageOf } from "../../core/errors.ts";
import type { NativeGuard } from "../onnx/native-guard.ts";
import { readWeights, type Weights } from "../onnx/weights.ts";
import type { SoundRequest } from "../work-pool.ts";
import type { SpotAnswer } from "./protocol.ts";
import { loadSpotter, type Spotter } from "./spotter.ts";

/** The quickest of them counts; the first grows the memory that the others find. */
const REHEARSALS = 3;

export interface SpotterRole {
  workwatch: () => () => number;
  /** What a second of speech takes this machine's processor. */
  measured: (secondMs: number) => void;
  /** It was busy this long. */
  spotted: (tookMs: number) => void;
}

export async function beSpotter(
  model: Weights | null,
  guard: NativeGuard,
  role: SpotterRole,
): Promise<(port: MessagePort) => void> {
  if (!model)
    throw new Error("This build comes without the phrase spotter. `ringward models list` says how to add it.");
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
      // An engine that ran out of memory, or worse, is not to be trusted with the next: a new thread is.
      throw error;
    }
    spotted(tookMs());
  });
  port.start();
}
