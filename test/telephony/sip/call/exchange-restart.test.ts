// A restarting exchange sends BYE to every call; this is not reported as a hang-up by the callee.
import { expect, test } from "bun:test";
import { until } from "../../../support/until.ts";
import { bye, friendly, udpPeer } from "../transport/scripted-peer.ts";
import { fasterClock, startAgent, stopAgentsAfterEach, trunkAt } from "./agent-under-test.ts";

stopAgentsAfterEach();

async function answeredCall(optionsEverySeconds: number) {
  let isDead = false;
  const peer = await udpPeer((request, own) => (isDead ? null : friendly(request, `sip:peer@127.0.0.1:${own.port}`)));
  const run = await startAgent([trunkAt(peer.port, { optionsEverySeconds })], { clock: fasterClock(20) });
  if (optionsEverySeconds > 0) await until(() => run.agent.trunkStates()[0]!.state === "up");
  run.invite();
  await run.heard("call_1 answered");
  const invite = peer.heard.find(({ method }) => method === "INVITE")!;
  return {
    run,
    /** The peer ends the call, and is gone or stays. */
    end(staysDead: boolean) {
      isDead = staysDead;
      peer.send(bye(invite, `SIP/2.0/UDP 127.0.0.1:${peer.port}`, "sip:us@127.0.0.1"), run.agent.port);
    },
  };
}

test("BYE, and the exchange answers: the callee hung up", async () => {
  const { run, end } = await answeredCall(3_600);
  end(false);
  expect(await run.ended()).toMatchObject({ by: "peer", outcome: null });
});

test("BYE, and the exchange is gone: the call failed on the way", async () => {
  const { run, end } = await answeredCall(3_600);
  end(true);
  expect(await run.ended()).toMatchObject({ by: "network", outcome: "infrastructure_error" });
});

test("BYE from an exchange that never answered OPTIONS: nothing more can be asked, the callee hung up", async () => {
  const { run, end } = await answeredCall(0);
  end(true);
  expect(await run.ended()).toMatchObject({ by: "peer", outcome: null });
});
