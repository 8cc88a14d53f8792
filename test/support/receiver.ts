// A real HTTPS receiver under a private authority on loopback, as a hospital's own system would be.
import { afterAll } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "./binary.ts";
import { createPrivateCa } from "./private-ca.ts";

export interface Received {
  headers: Record<string, string>;
  /** The bytes exactly as they came. */
  body: Buffer;
  json: { event_id: string; event_type: string; created_at: string; data: Record<string, unknown> };
}

export interface Receiver {
  url: string;
  received: Received[];
  answer: (received: Received) => Response | Promise<Response>;
  /** What the binary needs to reach and trust it. */
  env: Record<string, string>;
}

const open: { stop(closeActive: boolean): Promise<void> }[] = [];

/** For the top of a test file: no receiver outlives it. */
export function closeReceivers(): void {
  afterAll(() => Promise.all(open.splice(0).map((server) => server.stop(true))));
}

export function startReceiver(): Receiver {
  const authority = createPrivateCa();
  const { certPem, keyPem } = authority.issue(["127.0.0.1"]);
  const caFile = join(tempFolder(), "ca.pem");
  writeFileSync(caFile, authority.caPem);
  const receiver: Receiver = {
    url: "",
    received: [],
    answer: () => new Response(null, { status: 204 }),
    env: { RINGWARD_WEBHOOKS__ALLOW_PRIVATE: "127.0.0.1", RINGWARD_WEBHOOKS__CA_FILE: caFile },
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    tls: { cert: certPem, key: keyPem },
    async fetch(request) {
      const body = Buffer.from(await request.arrayBuffer());
      const received = {
        headers: Object.fromEntries(request.headers),
        body,
        json: JSON.parse(body.toString("utf8")) as Received["json"],
      };
      receiver.received.push(received);
      return receiver.answer(received);
    },
  });
  open.push(server);
  receiver.url = `https://127.0.0.1:${server.port}/hook`;
  return receiver;
}
