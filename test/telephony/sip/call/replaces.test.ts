// Attended transfer at the peer: another telephone replaces the call (RFC 3891), and our side continues.
import { afterEach, describe, expect, test } from "bun:test";
import { until } from "../../../support/until.ts";
import { startAgent, stopAgentsAfterEach, trunkAt, type AgentUnderTest } from "./agent-under-test.ts";
import { hangUpCallersAfterEach, scriptedCaller, statusOf } from "./scripted-caller.ts";
import { friendly, type Heard, methodsOf, reply, SDP, udpPeer, type UdpPeer } from "../transport/scripted-peer.ts";

stopAgentsAfterEach();
hangUpCallersAfterEach();

const peers: UdpPeer[] = [];
afterEach(() => {
  for (const peer of peers.splice(0)) peer.close();
});

const WARD_PHONE = SDP.replace(/m=audio \d+/, "m=audio 41010");
const tagOf = (header: string) => /tag=([^;\s]+)/.exec(header)?.[1] ?? "";

/** A telephone of the same trunk with a call of its own, which wants to take over ours. */
async function otherPhone(run: AgentUnderTest, address?: string) {
  const phone = await scriptedCaller({ callId: "ward", ...(address !== undefined && { address }) });
  phone.callAt(run.agent.port);
  return phone;
}

/** We called, and the first telephone answered. */
async function inCall(answer = friendly) {
  const trunk = await udpPeer((request, { port }) => answer(request, `sip:peer@127.0.0.1:${port}`));
  peers.push(trunk);
  const neighbour = trunkAt(5060, { id: "theirs", host: "127.0.0.2" });
  const run = await startAgent([trunkAt(trunk.port, { lines: 1 }), neighbour], {
    bind: { address: "0.0.0.0", port: 0 },
  });
  run.invite();
  await until(() => run.events.length > 0);
  const invite = trunk.heard.find(({ method }) => method === "INVITE")!;
  return { trunk, run, invite };
}

const replaces = (invite: Heard, change: { to?: string; from?: string; more?: string } = {}) => {
  const { to = tagOf(invite.header("from")), from = "peer", more = "" } = change;
  return `Replaces: ${invite.header("call-id")};to-tag=${to};from-tag=${from}${more}`;
};

describe("another telephone takes a call over:", () => {
  test("it is answered at once, the first is let go, and the call goes on as the same one", async () => {
    const { trunk, run, invite } = await inCall();
    const phone = await otherPhone(run);
    phone.invite([replaces(invite), "Require: replaces"], WARD_PHONE);
    const answer = await phone.answered("INVITE", 200);
    expect(answer.text).toContain("m=audio 40000");
    phone.send("ACK");
    await until(() => trunk.heard.some(({ method }) => method === "BYE"));
    expect(trunk.heard.find(({ method }) => method === "BYE")!.header("call-id")).toBe(invite.header("call-id"));
    expect(run.negotiated.map(({ port }) => port).at(-1)).toBe(41_010);
    expect(run.endings.size).toBe(0);
    expect(run.inbound).toEqual([]);
    expect(run.agent.counters().openCalls).toBe(1);
    expect(run.agent.trunkStates()[0]!.activeCalls).toBe(1);
    // What is kept for the time after a crash is where the call is now.
    expect(run.dialogs.at(-1)!.dialog.callId).toBe("ward");
    // Keys come from the new telephone, and both dialogs stand in one ladder.
    expect(run.ladder.some(({ firstLine }) => firstLine.startsWith("BYE"))).toBeTrue();
    expect(run.ladder.some(({ text }) => /^Replaces: /m.test(text))).toBeTrue();
    phone.send("BYE", { cseq: 2 });
    expect(await run.ended()).toMatchObject({ by: "peer", outcome: null });
    expect(run.agent.counters().openCalls).toBe(0);
    expect(run.events).toEqual(["call_1 answered", "call_1 ended peer null"]);
  });

  test("we hang up, hold and refresh with the new one; the first one's requests are of no call any more", async () => {
    const { trunk, run, invite } = await inCall();
    const phone = await otherPhone(run);
    phone.invite([replaces(invite)], WARD_PHONE);
    await phone.answered("INVITE", 200);
    phone.send("ACK");
    await until(() => trunk.heard.some(({ method }) => method === "BYE"));
    phone.send("UPDATE", { cseq: 2, body: `${WARD_PHONE}a=sendonly\r\n` });
    await phone.answered("UPDATE", 200);
    expect(run.negotiated.at(-1)).toMatchObject({ port: 41_010, direction: "sendonly" });
    const old = { callId: invite.header("call-id"), fromTag: "peer", toTag: tagOf(invite.header("from")) };
    phone.send("INFO", { ...old, cseq: 9, branch: "z9hG4bKold" });
    await phone.answered("INFO", 481);
    run.agent.hangUp("call_1");
    await until(() => phone.requests("BYE").length > 0);
    expect(phone.requests("BYE")[0]!.header("to")).toContain("tag=caller");
  });

  test("and a third one after it; without an offer it gets ours", async () => {
    const { run, invite } = await inCall();
    const phone = await otherPhone(run);
    phone.invite([replaces(invite)], WARD_PHONE);
    const first = await phone.answered("INVITE", 200);
    phone.send("ACK");
    const third = await scriptedCaller({ callId: "third" });
    third.callAt(run.agent.port);
    third.invite([`Replaces: ward;to-tag=${tagOf(first.header("to"))};from-tag=caller`], "");
    await third.answered("INVITE", 200);
    third.send("ACK", { body: SDP.replace(/m=audio \d+/, "m=audio 41020") });
    await until(() => run.negotiated.at(-1)!.port === 41_020);
    await until(() => phone.requests("BYE").length > 0);
    third.send("BYE", { cseq: 2 });
    expect(await run.ended()).toMatchObject({ by: "peer", outcome: null });
  });

  test("a call that came to us is taken over alike", async () => {
    const caller = await scriptedCaller();
    const run = await startAgent([trunkAt(caller.peer.port)]);
    caller.callAt(run.agent.port);
    caller.invite();
    await until(() => run.inbound.length === 1);
    const { callId } = run.inbound[0]!;
    run.agent.answerInbound(callId, ["PCMA"]);
    await caller.answered("INVITE", 200);
    caller.send("ACK");
    await run.heard(`${callId} answered`);
    const phone = await otherPhone(run);
    phone.invite([`Replaces: scripted;from-tag=caller;to-tag=${caller.ourTag()}`], WARD_PHONE);
    await phone.answered("INVITE", 200);
    phone.send("ACK");
    await until(() => caller.requests("BYE").length > 0);
    expect(run.negotiated.at(-1)!.port).toBe(41_010);
    phone.send("BYE", { cseq: 2 });
    expect(await run.ended(callId)).toMatchObject({ by: "peer", outcome: null });
    expect(run.inbound).toHaveLength(1);
  });
});

describe("it is refused, and the call goes on as it was:", () => {
  const INVITE_OK = ["INVITE", "ACK"];

  async function refused(status: number, headersOf: (invite: Heard) => string[], body = WARD_PHONE) {
    const { trunk, run, invite } = await inCall();
    const phone = await otherPhone(run);
    phone.invite(headersOf(invite), body);
    await phone.answered("INVITE", status);
    expect(run.negotiated).toHaveLength(1);
    expect(run.inbound).toEqual([]);
    expect(methodsOf(trunk)).toEqual(INVITE_OK);
    run.agent.hangUp("call_1");
    expect(await run.ended()).toMatchObject({ by: "us", outcome: null });
  }

  test("an unknown dialog: 481", () => refused(481, () => ["Replaces: nobody;to-tag=a;from-tag=b"]));
  test("another tag of ours: 481", () => refused(481, (invite) => [replaces(invite, { to: "guess" })]));
  test("another tag of theirs: 481", () => refused(481, (invite) => [replaces(invite, { from: "guess" })]));
  test("one that is answered, where only a ringing one is wanted: 486", () =>
    refused(486, (invite) => [replaces(invite, { more: ";early-only" })]));
  test("a Replaces without tags: 400", () => refused(400, (invite) => [`Replaces: ${invite.header("call-id")}`]));
  test("two of them: 400", () => refused(400, (invite) => [replaces(invite), replaces(invite)]));
  test("audio that we cannot speak: 488", () =>
    refused(488, (invite) => [replaces(invite)], WARD_PHONE.replace(" 8 101", " 18")));
  test("something that we do not know is required too: 420", () =>
    refused(420, (invite) => [replaces(invite), "Require: precondition"]));

  test("a telephone of another trunk, whatever it knows: 481", async () => {
    const { trunk, run, invite } = await inCall();
    const thief = await otherPhone(run, "127.0.0.2");
    thief.invite([replaces(invite)], WARD_PHONE);
    await thief.answered("INVITE", 481);
    expect(run.negotiated).toHaveLength(1);
    expect(methodsOf(trunk)).toEqual(INVITE_OK);
    run.agent.hangUp("call_1");
    await run.ended();
  });

  test("a call that only rings: 481, and it rings on", async () => {
    const { run, invite } = await inCall((request) =>
      request.method === "INVITE" ? reply(request, "180 Ringing") : friendly(request, ""),
    );
    await run.heard("call_1 ringing");
    const phone = await otherPhone(run);
    phone.invite([replaces(invite, { more: ";early-only" })], WARD_PHONE);
    await phone.answered("INVITE", 481);
    expect(run.endings.size).toBe(0);
    run.agent.hangUp("call_1");
    await run.ended();
  });

  test("a call that we have just hung up: 603", async () => {
    const { run, invite } = await inCall((request, contact) =>
      request.method === "BYE" ? null : friendly(request, contact),
    );
    await run.heard("call_1 answered");
    run.agent.hangUp("call_1");
    const phone = await otherPhone(run);
    phone.invite([replaces(invite)], WARD_PHONE);
    await phone.answered("INVITE", 603);
    expect(phone.answers("INVITE").map(statusOf)).toEqual([603]);
    await run.ended();
  });
});
