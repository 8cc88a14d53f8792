// Thread of the runtime's test: loads the runtime and the detector, and processes one window of silence.
import { floats, floatsOf, integers, loadRuntime } from "../../../src/speech/onnx/runtime.ts";
import { readWeights, WEIGHTS } from "../../../src/speech/onnx/weights.ts";

declare const self: Worker;

self.addEventListener("message", ({ data: folder }: MessageEvent<string>) => {
  void hearSilence(folder).then((probability) => self.postMessage(probability, []));
});

async function hearSilence(folder: string): Promise<number | undefined> {
  const runtime = await loadRuntime(folder);
  const detector = runtime.openModel(await readWeights(WEIGHTS.voiceDetector));
  const { output } = detector.run({
    input: floats(new Float32Array(288), [1, 288]),
    state: floats(new Float32Array(256), [2, 1, 128]),
    sr: integers([8000], []),
  });
  return floatsOf(output)[0];
}
