// Starts the lossy network in its thread.
import { audioPorts } from "./free-ports.ts";
import type { LossyRelayOptions } from "./lossy-relay.ts";

export async function relayThread(options: Omit<LossyRelayOptions, "audioFrom">): Promise<{ close(): void }> {
  const worker = new Worker(new URL("./lossy-relay-worker.ts", import.meta.url).href);
  await new Promise<void>((resolve, reject) => {
    worker.addEventListener("message", () => resolve());
    worker.addEventListener("error", ({ message }) => reject(new Error(message)));
    worker.postMessage({ ...options, audioFrom: audioPorts(4).from } satisfies LossyRelayOptions, []);
  });
  return { close: () => worker.terminate() };
}
