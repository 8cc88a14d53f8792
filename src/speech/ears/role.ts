// Detector thread: voice activity detection for all calls of a client.
import type { Runtime } from "../onnx/runtime.ts";
import { readWeights, WEIGHTS } from "../onnx/weights.ts";
import { createDetector } from "./detector.ts";
import type { ToEarWorker } from "./protocol.ts";

/** `listening` is called whenever the number of calls changes. */
export async function beEar(
  runtime: Runtime,
  listening: (calls: number) => void,
): Promise<(port: MessagePort) => void> {
  const model = runtime.openModel(await readWeights(WEIGHTS.voiceDetector));
  return (port) => {
    // Ear numbers are per client.
    const detector = createDetector(model);
    let calls = 0;
    port.addEventListener("message", ({ data }: MessageEvent<ToEarWorker>) => {
      const heard = detector.hear(data);
      if (heard.ears.length > 0) port.postMessage(heard, []);
      if (detector.calls !== calls) listening((calls = detector.calls));
    });
    port.start();
  };
}
