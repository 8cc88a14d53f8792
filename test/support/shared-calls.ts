// A running Ringward that shares its calls, and a receiver that learns the links from events as an integrator would.
import { afterAll, expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runBinary, tempFolder, type Running } from "./binary.ts";
import { finished, place, startQuick } from "./calls.ts";
import { createPrivateCa } from "./private-ca.ts";
import { until } from "./until.ts";

/** What the event of a finished call tells of its links. */
export interface SharedEvent {
  call_id: string;
  call_details_url: string | null;
  share_token: string | null;
  call_recording: string | null;
  call_transcript: string | null;
  appointment_details: { appointment_id: string; date: string; start_time: string } | null;
}

export interface SharingServer {
  server: Running;
  /** Places a call, follows it to its end and answers with what its event says. */
  sharedCall(changes?: Record<string, unknown>): Promise<SharedEvent>;
  /** `ringward sharing …`; answers with what it prints. */
  sharing(...args: string[]): Promise<unknown>;
}

const receivers: { stop(closeActive: boolean): Promise<void> }[] = [];

/** For the top of a test file: no receiver outlives it. */
export function closeReceivers(): void {
  afterAll(() => Promise.all(receivers.splice(0).map((receiver) => receiver.stop(true))));
}

export async function startSharing(): Promise<SharingServer> {
  const authority = createPrivateCa();
  const { certPem, keyPem } = authority.issue(["127.0.0.1"]);
  const caFile = join(tempFolder(), "ca.pem");
  writeFileSync(caFile, authority.caPem);
  const events = new Map<string, SharedEvent>();
  const receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert: certPem, key: keyPem },
    async fetch(request) {
      const { data } = (await request.json()) as { data: SharedEvent };
      events.set(data.call_id, data);
      return new Response(null, { status: 204 });
    },
  });
  receivers.push(receiver);

  const env = { RINGWARD_WEBHOOKS__ALLOW_PRIVATE: "127.0.0.1", RINGWARD_WEBHOOKS__CA_FILE: caFile };
  const server = await startQuick(env);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runBinary([...args, "--data", server.dataDir], { env });
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
    return stdout;
  };
  await run(
    "endpoints",
    "create",
    "--url",
    `https://127.0.0.1:${receiver.port}/`,
    "--events",
    "call.completed,call.failed",
  );

  return {
    server,
    async sharedCall(changes = {}) {
      const id = await place(server, changes);
      await finished(server, id);
      await until(() => events.has(id), { withinMs: 60_000, what: () => `no event of ${id} arrived` });
      return events.get(id)!;
    },
    sharing: async (...args) => JSON.parse(await run("sharing", ...args)) as unknown,
  };
}
