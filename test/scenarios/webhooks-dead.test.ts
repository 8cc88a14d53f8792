// One endpoint hangs, one does not speak TLS, one has an untrusted certificate: the fourth still receives every event.
import { expect, test } from "bun:test";
import { startReceiver as startRawReceiver } from "../events/safe-post/receiver.ts";
import { leaveNothingBehind, runBinary } from "../support/binary.ts";
import { finished, numberEnding, place, startQuick } from "../support/calls.ts";
import { createPrivateCa } from "../support/private-ca.ts";
import { closeReceivers, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

leaveNothingBehind();
closeReceivers();

test("dead endpoints delay no other", async () => {
  const live = startReceiver();
  const env = { ...live.env, RINGWARD_PLANS__BASE__WEBHOOK_ENDPOINTS: "4" };
  // A private CA that the appliance does not trust.
  const untrusted = await startRawReceiver(createPrivateCa().issue(["127.0.0.1"]), () => {});
  const babbling = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { open: (socket) => void socket.write("H"), data() {} },
  });
  const hanging = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const server = await startQuick(env);
  try {
    const ports = [hanging.port, babbling.port, untrusted.port];
    for (const url of [...ports.map((port) => `https://127.0.0.1:${port}/hook`), live.url]) {
      const made = await runBinary(["endpoints", "create", "--url", url, "--data", server.dataDir], { env });
      expect(made).toMatchObject({ code: 0, stderr: "" });
    }
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => place(server, { user_number: numberEnding("1234") })),
    );
    for (const id of ids) await finished(server, id);
    const typesOf = (id: string) =>
      live.received
        .filter(({ json }) => json.event_type.startsWith("call.") && json.data["call_id"] === id)
        .map(({ json }) => json.event_type);
    await until(() => ids.every((id) => typesOf(id).includes("call.completed")), { withinMs: 60_000 });
    for (const id of ids) expect(typesOf(id)).toEqual(["call.initiated", "call.completed"]);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    // Of the active endpoints: an endpoint that fails for long is disabled.
    expect(metrics).toMatch(/^ringward_webhook_places\{endpoint_id="whe_\w+"\} \d+$/m);
    expect(metrics).toMatch(/^ringward_webhook_attempts_total\{outcome="delivered"\} \d+$/m);
  } finally {
    await server.stop();
    untrusted.close();
    babbling.stop(true);
    hanging.stop(true);
  }
}, 180_000);
