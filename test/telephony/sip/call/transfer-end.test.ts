// The exchange hangs up during a transfer, before or instead of reporting its result.
import { afterEach, expect, test } from "bun:test";
import { createManualClock, type ManualClock } from "../../../support/manual-clock.ts";
import { until } from "../../../support/until.ts";
import { startAgent, stopAgentsAfterEach, trunkAt, type AgentUnderTest } from "./agent-under-test.ts";
import { bye, friendly, reply, udpPeer, type Heard, type UdpPeer } from "../transport/scripted-peer.ts";

stopAgentsAfterEach();

const peers: UdpPeer[] = [];
afterEach(() => {
  for (const peer of peers.splice(0)) peer.close();
});

interface Stage {
  run: AgentUnderTest;
  clock: ManualClock;
  peer: UdpPeer;
  /** The exchange hangs up on us; resolves when we have said yes to it. */
  hangsUp(): Promise<void>;
  notifies(sipfrag: string, subscription?: string): void;
  states(): string[];
}

async function transferring(answerToRefer: string | null = "202 Accepted"): Promise<Stage> {
  const peer = await udpPeer((request, { port }) => {
    if (request.method !== "REFER") return friendly(request, `sip:peer@127.0.0.1:${port}`);
    return answerToRefer === null ? null : reply(request, answerToRefer);
  });
  peers.push(peer);
  const clock = createManualClock();
  const run = await startAgent([trunkAt(peer.port)], { clock });
  run.invite();
  await run.heard("call_1 answered");
  run.agent.refer("call_1", "201");
  await until(() => peer.heard.some(({ method }) => method === "REFER"));
  if (answerToRefer !== null) await until(() => run.transfers.length > 0);
  const invite = peer.heard.find(({ method }) => method === "INVITE")!;
  const via = `SIP/2.0/UDP 127.0.0.1:${peer.port}`;
  const answered = (method: string) => (one: Heard) =>
    one.text.startsWith("SIP/2.0 200") && one.header("cseq").endsWith(method);
  let cseq = 1;
  return {
    run,
    clock,
    peer,
    async hangsUp() {
      peer.send(bye(invite, via, "sip:ringward@127.0.0.1").replace("CSeq: 1", `CSeq: ${++cseq}`), run.agent.port);
      await until(() => peer.heard.some(answered("BYE")));
    },
    notifies(sipfrag, subscription = "active;expires=60") {
      cseq += 1;
      const text = bye(invite, via, "sip:ringward@127.0.0.1")
        .replaceAll("BYE", "NOTIFY")
        .replace("z9hG4bKbye", `z9hG4bKnotify${cseq}`)
        .replace("CSeq: 1", `CSeq: ${cseq}`)
        .replace(
          /Content-Length.*/s,
          `Event: refer\r\nSubscription-State: ${subscription}\r\nContent-Type: message/sipfrag\r\nContent-Length: ${sipfrag.length}\r\n\r\n${sipfrag}`,
        );
      peer.send(text, run.agent.port);
    },
    states: () => run.transfers.map(({ state, sipCode }) => `${state} ${sipCode}`),
  };
}

test.each([
  ["SIP/2.0 404 Not Found", "refused 404"],
  ["SIP/2.0 503 Service Unavailable", "refused 503"],
  ["SIP/2.0 200 OK", "answered 200"],
])(
  "it hangs up and then tells %s: that is the transfer's end, and the call is over with it",
  async (sipfrag, state) => {
    const { run, peer, hangsUp, notifies, states } = await transferring();
    await hangsUp();
    expect(run.endings.size).toBe(0);
    notifies(sipfrag, "terminated;reason=noresource");
    expect(await run.ended()).toMatchObject({ by: "peer", outcome: null });
    expect(states()).toEqual(["accepted 202", "left null", state]);
    await until(() =>
      peer.heard.some((one) => one.text.startsWith("SIP/2.0 200") && /CSeq: \d+ NOTIFY/.test(one.text)),
    );
    expect(run.agent.trunkStates()[0]!.activeCalls).toBe(0);
  },
);

test("it hangs up and says nothing more: taken over, and the call is over two seconds later, as of when it hung up", async () => {
  const { run, clock, hangsUp, states } = await transferring();
  await clock.advance(10_000);
  await hangsUp();
  const hungUpAt = clock.now();
  await clock.advance(2_000);
  expect(await run.ended()).toMatchObject({ by: "peer", outcome: null, atMs: hungUpAt });
  expect(states()).toEqual(["accepted 202", "left null", "taken null"]);
  expect(run.agent.counters().openCalls).toBe(0);
});

test("it hangs up while our REFER has no answer: the call was not transferred", async () => {
  const { run, clock, hangsUp, states } = await transferring(null);
  await hangsUp();
  await clock.advance(2_000);
  expect(await run.ended()).toMatchObject({ by: "peer" });
  expect(states()).toEqual(["left null", "refused null"]);
});

test("it hangs up after the transfer was decided: the call is over at once", async () => {
  const { run, hangsUp, notifies, states } = await transferring();
  notifies("SIP/2.0 486 Busy Here");
  await until(() => run.transfers.length === 2);
  await hangsUp();
  expect(await run.ended()).toMatchObject({ by: "peer", outcome: null });
  expect(states()).toEqual(["accepted 202", "refused 486"]);
});

test("we hang up while it waits to tell: nothing more is asked or told", async () => {
  const { run, clock, peer, hangsUp } = await transferring();
  await hangsUp();
  run.agent.hangUp("call_1");
  expect(await run.ended()).toMatchObject({ outcome: null });
  await clock.advance(200_000);
  expect(peer.heard.filter(({ method }) => method === "BYE")).toEqual([]);
});

test("it ends its reports without a result: the call was not transferred", async () => {
  const { run, hangsUp, notifies, states } = await transferring();
  notifies("SIP/2.0 100 Trying", "terminated;reason=timeout");
  await until(() => run.transfers.length === 2);
  expect(states()).toEqual(["accepted 202", "refused null"]);
  await hangsUp();
  await run.ended();
});
