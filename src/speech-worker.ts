// Starts the voice's worker as a thread of its own. It lies here because of how compiled executables find a worker's
// file: see ENTRY_POINTS in scripts/build.ts.
import type { FromVoiceWorker, VoiceWorker } from "./speech/tts/worker-port.ts";

export function startVoiceWorker(): VoiceWorker {
  const worker = new Worker(new URL("./speech/tts/worker.ts", import.meta.url));
  return {
    post: (message) => worker.postMessage(message, []),
    onMessage: (listener) =>
      worker.addEventListener("message", ({ data }: MessageEvent<FromVoiceWorker>) => listener(data)),
    onEnd(listener) {
      let reason = "it exited";
      // `close` follows every error. Bun tells the source around it as well; the log needs its first lines at most.
      worker.addEventListener("error", ({ message }) => (reason = message.slice(0, 200)));
      worker.addEventListener("close", () => listener(reason), { once: true });
    },
    terminate: () => worker.terminate(),
  };
}
