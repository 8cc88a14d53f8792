// The receiver of deliveries in a separate process, and the posting thread.
import { createThreadPost } from "../../src/events/safe-post/thread.ts";
import { startPostWorker } from "../../src/compose/threads/start.ts";
import { createPrivateCa } from "../../test/support/private-ca.ts";

export interface Receiver {
  pid: number;
  live: number;
  dead: number;
  caPem: string;
  /** Permanently ends the endpoints that hang and drip. */
  letGo(): void;
  stop(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const authority = createPrivateCa();
  const { certPem, keyPem } = authority.issue(["127.0.0.1"]);
  const { promise, resolve } = Promise.withResolvers<{ live: number; dead: number }>();
  const child = Bun.spawn([process.execPath, new URL("deliver-receiver.ts", import.meta.url).pathname], {
    env: { ...process.env, CERTIFICATE: certPem, KEY: keyPem },
    stdout: "ignore",
    stderr: "inherit",
    ipc: (ports: { live: number; dead: number }) => resolve(ports),
  });
  return {
    ...(await promise),
    pid: child.pid,
    caPem: authority.caPem,
    letGo: () => child.send("let go"),
    stop: () => child.kill(),
  };
}

export const safePostTo = ({ caPem }: Receiver) =>
  createThreadPost({ allow: ["127.0.0.1"], caPem, proxyUrl: null }, startPostWorker);
