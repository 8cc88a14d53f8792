// Starts the lossy network in its thread.
import { relayPorts, type LossyRelay, type LossyRelayOptions } from "./lossy-relay.ts";

export async function relayThread(options: LossyRelayOptions): Promise<Pick<LossyRelay, "port" | "close">> {
  const worker = new Worker(new URL("./lossy-relay-worker.ts", import.meta.url).href);
  const port = await new Promise<number>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<number>) => resolve(data));
    worker.addEventListener("error", ({ message }) => reject(new Error(message)));
    worker.postMessage({ ...options, ports: relayPorts() }, []);
  });
  return { port, close: () => worker.terminate() };
}
