// Starts the SIP worker as a thread of its own. It lies here because of how compiled executables find a worker's file:
// see ENTRY_POINTS in scripts/build.ts.
import type { WorkerPort } from "./telephony/sip/carrier/worker-port.ts";
import type { FromWorker } from "./telephony/sip/protocol.ts";

export function startSipWorker(): WorkerPort {
  const worker = new Worker(new URL("./telephony/sip/worker/worker.ts", import.meta.url));
  return {
    post: (message) => worker.postMessage(message, []),
    onMessage: (listener) => worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => listener(data)),
    onEnd(listener) {
      let reason = "it exited";
      // `close` follows every error, once the worker's sockets are free.
      worker.addEventListener("error", ({ message }) => (reason = errorLine(message)));
      worker.addEventListener("close", () => listener(reason), { once: true });
    },
    terminate: () => worker.terminate(),
  };
}

/** Bun tells the source around the error as well; a log needs the line that names it. */
function errorLine(message: string): string {
  return message.split("\n").find((line) => line.startsWith("error:")) ?? message.slice(0, 200);
}
