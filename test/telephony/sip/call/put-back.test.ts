// Failures before ringing that say nothing about the callee, as the user agent reports them, and Retry-After.
import { describe, expect, test } from "bun:test";
import { until } from "../../../support/until.ts";
import { friendly, reply, udpPeer } from "../transport/scripted-peer.ts";
import { fasterClock, startAgent, stopAgentsAfterEach, trunkAt } from "./agent-under-test.ts";

stopAgentsAfterEach();

const SPEED = 20;
type Answer = Parameters<typeof udpPeer>[0];

async function exchange(invited: Answer, settings: Parameters<typeof trunkAt>[1] = {}) {
  const peer = await udpPeer((request, own, fromPort) =>
    request.method === "INVITE" ? invited(request, own, fromPort) : friendly(request, `sip:peer@127.0.0.1:${own.port}`),
  );
  const run = await startAgent([trunkAt(peer.port, settings)], { clock: fasterClock(SPEED) });
  return { peer, run, state: () => run.agent.trunkStates()[0]! };
}

describe("a refusal before ringing", () => {
  test.each(["500 Server Internal Error", "503 Service Unavailable", "402 Payment Required"])(
    "%s is between the trunk and us",
    async (status) => {
      const { run } = await exchange((request) => reply(request, status));
      run.invite();
      expect(await run.ended()).toMatchObject({ outcome: "carrier_error", putBack: true });
    },
  );

  test.each([
    "486 Busy Here",
    "404 Not Found",
    "403 Forbidden",
    "480 Temporarily Unavailable",
    "488 Not Acceptable Here",
  ])("%s may be about the callee", async (status) => {
    const { run } = await exchange((request) => reply(request, status));
    run.invite();
    expect(await run.ended()).not.toHaveProperty("putBack");
  });
});

test("a refusal after ringing is a failed call, whatever its status", async () => {
  const { run, peer } = await exchange((request, own, fromPort) => {
    own.send(reply(request, "180 Ringing"), fromPort);
    return reply(request, "503 Service Unavailable");
  });
  run.invite();
  const ending = await run.ended();
  expect(peer.heard.length).toBeGreaterThan(0);
  expect(run.events).toContain("call_1 ringing");
  expect(ending).toMatchObject({ outcome: "carrier_error" });
  expect(ending).not.toHaveProperty("putBack");
});

describe("a trunk that answers nothing", () => {
  test("and has answered before: the call reached no phone", async () => {
    const { run, state } = await exchange(() => null, { optionsEverySeconds: 25 });
    await until(() => state().state === "up");
    run.invite();
    expect(await run.ended()).toMatchObject({ outcome: "infrastructure_error", putBack: true });
  });

  test("and was never heard: its answers may be lost on the way while the phone rings", async () => {
    const { run } = await exchange(() => null);
    run.invite();
    const ending = await run.ended();
    expect(ending).toMatchObject({ outcome: "infrastructure_error" });
    expect(ending).not.toHaveProperty("putBack");
  });

  test("after 100 Trying: it has accepted the call, and how far it got is unknown", async () => {
    const { run, state } = await exchange((request) => reply(request, "100 Trying"), { optionsEverySeconds: 25 });
    await until(() => state().state === "up");
    run.invite({ ringTimeoutMs: 5_000 });
    expect(await run.ended()).not.toHaveProperty("putBack");
  });
});

describe("503 with Retry-After", () => {
  const restless = (seconds: number) =>
    exchange((request) => reply(request, "503 Service Unavailable", { headers: [`Retry-After: ${seconds}`] }));

  test("rests the trunk for that long, from the first call on", async () => {
    const { run, state } = await restless(40);
    run.invite();
    await run.ended();
    await until(() => state().restingUntilMs !== null);
    run.invite({ callId: "call_2" });
    expect(await run.ended("call_2")).toMatchObject({ by: "us", outcome: "infrastructure_error", putBack: true });
    await until(() => state().restingUntilMs === null);
  });

  test("rests it for an hour at most", async () => {
    const { run, state } = await restless(86_400);
    run.invite();
    const { atMs } = await run.ended();
    expect(state().restingUntilMs! - atMs).toBeLessThanOrEqual(3_600_000);
    expect(state().restingUntilMs! - atMs).toBeGreaterThan(3_500_000);
  });
});
