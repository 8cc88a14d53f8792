// Fault isolation: trunks share a socket and nothing else.
import { afterEach, expect, test } from "bun:test";
import { sendSurely } from "../../../../src/telephony/sip/transport/send-surely.ts";
import { reservedPort } from "../../../support/free-ports.ts";
import { startAgent, stopAgentsAfterEach, trunkAt } from "../call/agent-under-test.ts";
import { friendly, udpPeer, type UdpPeer } from "../transport/scripted-peer.ts";

stopAgentsAfterEach();

const peers: UdpPeer[] = [];
afterEach(() => {
  for (const peer of peers.splice(0)) peer.close();
});

async function friend(): Promise<UdpPeer> {
  const peer = await udpPeer((request, { port }) => friendly(request, `sip:peer@127.0.0.1:${port}`));
  peers.push(peer);
  return peer;
}

test("calls on a healthy trunk do not fail for packets that a dead one refused, and it does not rest", async () => {
  const peer = await friend();
  const dead = trunkAt(reservedPort(), { id: "dead", lines: 50, callsPerSecond: 1_000, optionsEverySeconds: 5 });
  const run = await startAgent([trunkAt(peer.port, { lines: 50, callsPerSecond: 1_000 }), dead]);
  for (let i = 0; i < 30; i++) {
    // Both in one turn: the kernel's refusal of the first waits for the second.
    run.invite({ callId: `dead_${i}`, trunkId: "dead" });
    run.invite({ callId: `good_${i}` });
    run.agent.hangUp(`dead_${i}`);
    await run.heard(`good_${i} answered`);
  }
  expect(run.agent.trunkStates()[0]).toMatchObject({ id: "main", restingUntilMs: null, activeCalls: 30 });
});

test("calls that we had no audio port for do not rest the trunk", async () => {
  const peer = await friend();
  const run = await startAgent([trunkAt(peer.port)], {
    makeMedia: () => {
      throw new Error("no port is free");
    },
  });
  for (const callId of ["a", "b", "c", "d", "e"]) {
    run.invite({ callId });
    expect(await run.ended(callId)).toMatchObject({ by: "us", outcome: "infrastructure_error" });
  }
  expect(run.agent.trunkStates()[0]).toMatchObject({ restingUntilMs: null });
});

test("a send that throws is tried again at once, and given up after the third time", () => {
  const refused = () => {
    throw new Error("ECONNREFUSED");
  };
  let tries = 0;
  expect(sendSurely(() => (++tries < 3 ? refused() : true))).toBeTrue();
  expect(tries).toBe(3);
  tries = 0;
  expect(sendSurely(() => (++tries < 10 ? refused() : true))).toBeFalse();
  expect(tries).toBe(3);
});
