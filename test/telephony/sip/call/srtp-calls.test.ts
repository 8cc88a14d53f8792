// Which calls use SRTP, plain RTP or fail, by the trunk's setting and the peer's answer.
import { afterEach, describe, expect, test } from "bun:test";
import type { AddressInfo } from "node:net";
import { createServer, type Server, type TLSSocket } from "node:tls";
import { createPrivateCa } from "../../../support/private-ca.ts";
import { until } from "../../../support/until.ts";
import { startAgent, stopAgentsAfterEach, trunkAt, type AgentUnderTest } from "./agent-under-test.ts";
import { friendly, heard, type Heard, methodsOf, reply, SDP, udpPeer } from "../transport/scripted-peer.ts";
import type { SrtpPolicy } from "../../../../src/trunks/trunk-settings.ts";

stopAgentsAfterEach();

const ca = createPrivateCa();
const KEY = "WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz";
const SUITE = "AES_CM_128_HMAC_SHA1_80";
const CONTACT = "sip:peer@127.0.0.1:5061;transport=tls";
const SECURE_SDP = `${SDP.replace("RTP/AVP", "RTP/SAVP")}a=crypto:1 ${SUITE} inline:${KEY}|2^20\r\n`;
const DTLS_SDP = `${SDP.replace("RTP/AVP", "UDP/TLS/RTP/SAVP")}a=setup:actpass\r\na=fingerprint:sha-256 AA:BB\r\n`;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function tlsPeer(answer: (request: Heard) => string | null = (one) => friendly(one, CONTACT, SECURE_SDP)) {
  const { certPem, keyPem } = ca.issue(["127.0.0.1"]);
  const all: Heard[] = [];
  const sockets: TLSSocket[] = [];
  const server = createServer({ cert: certPem, key: keyPem }, (socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      for (const text of bytes.toString().split(/(?=^(?:ACK|BYE|OPTIONS|INVITE|SIP\/2\.0) )/m)) {
        const request = heard(text);
        all.push(request);
        const reaction = answer(request);
        if (reaction !== null) socket.write(reaction);
      }
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const invites = () => all.filter(({ method }) => method === "INVITE");
  return { port: (server.address() as AddressInfo).port, heard: all, invites, sockets };
}

const agentFor = (port: number, srtp: SrtpPolicy, optionsEverySeconds = 0) =>
  startAgent([trunkAt(port, { transport: "tls", caPem: ca.caPem, srtp, optionsEverySeconds })]);

const mediaLine = ({ text }: Heard) =>
  /^m=.*$/m
    .exec(text)![0]
    .trim()
    .replace(/audio \d+/, "audio");
const ourKeys = ({ text }: Heard) => [...text.matchAll(/^a=crypto:(\d) (\S+) inline:(\S{40})\r$/gm)];

function expectNoKeys(run: AgentUnderTest, ...keys: string[]): void {
  const said = JSON.stringify([run.ladder, [...run.endings.values()]]);
  for (const key of keys) expect(said).not.toContain(key);
  expect(said).toContain("inline:(removed)");
}

describe("a call that we make", () => {
  test.each(["preferred", "required"] as const)("%s: encrypted, and no key stands in its record", async (srtp) => {
    const peer = await tlsPeer();
    const run = await agentFor(peer.port, srtp);
    run.invite();
    await run.heard("call_1 answered");
    const [invite] = peer.invites() as [Heard];
    expect(mediaLine(invite)).toBe("m=audio RTP/SAVP 8 0 101");
    const keys = ourKeys(invite);
    expect(keys.map(([, tag, suite]) => `${tag} ${suite}`)).toEqual([
      "1 AES_CM_128_HMAC_SHA1_80",
      "2 AES_CM_128_HMAC_SHA1_32",
    ]);
    expect(keys[0]![3]).not.toBe(keys[1]![3]);
    expect(run.negotiated.map((one) => one.keys)).toEqual([{ suite: SUITE, ours: keys[0]![3]!, theirs: KEY }]);
    run.agent.hangUp("call_1");
    await run.ended();
    expectNoKeys(run, KEY, keys[0]![3]!, keys[1]![3]!);
  });

  test.each(["488 Not Acceptable Here", "606 Not Acceptable", "415 Unsupported Media Type"])(
    "preferred, and the peer says %s: asked again in clear",
    async (status) => {
      const peer = await tlsPeer((request) =>
        request.text.includes("RTP/SAVP") ? reply(request, status) : friendly(request, CONTACT),
      );
      const run = await agentFor(peer.port, "preferred");
      run.invite();
      await run.heard("call_1 answered");
      expect(peer.invites().map(mediaLine)).toEqual(["m=audio RTP/SAVP 8 0 101", "m=audio RTP/AVP 8 0 101"]);
      const [first, second] = peer.invites() as [Heard, Heard];
      expect(second.header("call-id")).toBe(first.header("call-id"));
      expect(second.header("cseq")).toBe("2 INVITE");
      expect(run.negotiated.map((one) => one.keys)).toEqual([null]);
    },
  );

  test("preferred, and the peer takes no audio of ours at all: it is asked twice, and no more", async () => {
    const peer = await tlsPeer((request) =>
      request.method === "ACK" ? null : reply(request, "488 Not Acceptable Here"),
    );
    const run = await agentFor(peer.port, "preferred");
    run.invite();
    expect(await run.ended()).toMatchObject({ outcome: "carrier_error", sipCode: 488 });
    expect(peer.invites()).toHaveLength(2);
  });

  test("required, and the peer refuses: it fails in clear words, and nothing is asked in clear", async () => {
    const peer = await tlsPeer((request) =>
      request.method === "ACK" ? null : reply(request, "488 Not Acceptable Here"),
    );
    const run = await agentFor(peer.port, "required");
    run.invite();
    const ending = await run.ended();
    expect(ending).toMatchObject({ outcome: "carrier_error", sipCode: 488 });
    expect(ending.message).toContain("It must be encrypted (SRTP");
    expect(peer.invites()).toHaveLength(1);
  });

  test("required, and the peer answers in clear: it is hung up, and nothing was said", async () => {
    const peer = await tlsPeer((request) => friendly(request, CONTACT, SDP));
    const run = await agentFor(peer.port, "required");
    run.invite();
    const ending = await run.ended();
    expect(ending).toMatchObject({ outcome: "carrier_error" });
    expect(ending.message).toContain("srtp = required forbids");
    expect(run.negotiated).toEqual([]);
    expect(methodsOf(peer)).toEqual(["INVITE", "ACK", "BYE"]);
  });

  test("early sound is encrypted by the keys of the 183, and goes on with them", async () => {
    const headers = [`Contact: <${CONTACT}>`];
    const peer = await tlsPeer((request) => {
      if (request.method !== "INVITE") return friendly(request, CONTACT);
      const progress = reply(request, "183 Session Progress", { headers, body: SECURE_SDP });
      return progress + reply(request, "200 OK", { headers, body: SECURE_SDP });
    });
    const run = await agentFor(peer.port, "required");
    run.invite();
    await run.heard("call_1 answered");
    expect(run.events).toContain("call_1 ringing early");
    expect(run.negotiated.map((one) => one.keys?.theirs)).toEqual([KEY]);
  });

  test("over UDP goes in clear, whatever is preferred", async () => {
    const peer = await udpPeer((request) => friendly(request, `sip:peer@127.0.0.1:${peer.port}`));
    const run = await startAgent([trunkAt(peer.port, { srtp: "preferred" })]);
    run.invite();
    await run.heard("call_1 answered");
    peer.close();
    expect(peer.heard[0]!.text).not.toContain("crypto");
    expect(mediaLine(peer.heard[0]!)).toBe("m=audio RTP/AVP 8 0 101");
  });
});

function inviteOf(sdp: string, via: string, { cseq = 1, toTag = "", branch = "z9hG4bKin" } = {}): string {
  return [
    "INVITE sip:+911140000000@127.0.0.1 SIP/2.0",
    `Via: SIP/2.0/${via} 127.0.0.1:5061;branch=${branch}${cseq};rport`,
    "From: <sip:+919800000001@127.0.0.1>;tag=caller",
    `To: <sip:+911140000000@127.0.0.1>${toTag === "" ? "" : `;tag=${toTag}`}`,
    "Call-ID: inbound-1",
    `CSeq: ${cseq} INVITE`,
    `Contact: <${CONTACT}>`,
    "Max-Forwards: 70",
    "Content-Type: application/sdp",
    `Content-Length: ${sdp.length}`,
    "",
    sdp,
  ].join("\r\n");
}

const ackOf = (cseq: number, toTag: string) =>
  [
    "ACK sip:+911140000000@127.0.0.1 SIP/2.0",
    `Via: SIP/2.0/TLS 127.0.0.1:5061;branch=z9hG4bKack${cseq}`,
    "From: <sip:+919800000001@127.0.0.1>;tag=caller",
    `To: <sip:+911140000000@127.0.0.1>;tag=${toTag}`,
    "Call-ID: inbound-1",
    `CSeq: ${cseq} ACK`,
    "Content-Length: 0",
    "",
    "",
  ].join("\r\n");

/** The trunk calls us over the connection that we keep to it. */
async function calledWith(srtp: SrtpPolicy, sdp: string) {
  const peer = await tlsPeer();
  const run = await agentFor(peer.port, srtp, 25);
  await until(() => run.agent.trunkStates()[0]!.state === "up");
  peer.sockets[0]!.write(inviteOf(sdp, "TLS"));
  await until(() => run.inbound.length === 1);
  const { callId } = run.inbound[0]!;
  run.agent.answerInbound(callId, ["PCMA", "PCMU"]);
  const finalOf = async (cseq: number) => {
    const isFinal = ({ text }: Heard) => /^SIP\/2\.0 [2-6]/.test(text) && text.includes(`CSeq: ${cseq} INVITE`);
    await until(() => peer.heard.some(isFinal));
    return peer.heard.find(isFinal)!;
  };
  return { peer, run, callId, finalOf, final: await finalOf(1) };
}

describe("a call that comes to us", () => {
  test.each([
    ["SRTP", SECURE_SDP, "m=audio RTP/SAVP 8 101"],
    ["keys beside plain RTP", SECURE_SDP.replace("RTP/SAVP", "RTP/AVP"), "m=audio RTP/AVP 8 101"],
  ])("with %s is encrypted, held, given a new key, and never talked into clear", async (_, sdp, answered) => {
    const { peer, run, finalOf, final } = await calledWith("required", sdp);
    expect(final.text).toStartWith("SIP/2.0 200");
    expect(mediaLine(final)).toBe(answered);
    const [first] = ourKeys(final) as [RegExpExecArray];
    expect(run.negotiated.at(-1)!.keys).toEqual({ suite: SUITE, ours: first[3]!, theirs: KEY });
    const toTag = /tag=(\S+)/.exec(final.header("to"))![1]!;
    peer.sockets[0]!.write(ackOf(1, toTag));

    peer.sockets[0]!.write(inviteOf(`${sdp}a=sendonly\r\n`, "TLS", { cseq: 2, toTag }));
    const held = await finalOf(2);
    expect(ourKeys(held)[0]![3]).toBe(first[3]);
    expect(held.text).toContain("a=recvonly");
    peer.sockets[0]!.write(ackOf(2, toTag));

    const newKey = KEY.replace("WVNf", "AAAA");
    peer.sockets[0]!.write(inviteOf(sdp.replace(KEY, newKey), "TLS", { cseq: 3, toTag }));
    const renewed = await finalOf(3);
    expect(ourKeys(renewed)[0]![3]).not.toBe(first[3]);
    expect(run.negotiated.at(-1)!.keys).toMatchObject({ theirs: newKey, ours: ourKeys(renewed)[0]![3]! });
    peer.sockets[0]!.write(ackOf(3, toTag));

    // Required stays required: the same call cannot be talked into clear.
    peer.sockets[0]!.write(inviteOf(SDP, "TLS", { cseq: 4, toTag }));
    const refused = await finalOf(4);
    expect(refused.text).toStartWith("SIP/2.0 488");
    expect(refused.header("warning")).toContain("srtp = required forbids");
    expect(run.negotiated.at(-1)!.keys).toMatchObject({ theirs: newKey });
    expectNoKeys(run, KEY, newKey, first[3]!);
  });

  test("in clear is taken in clear, where encryption is preferred alone", async () => {
    const { final, run } = await calledWith("preferred", SDP);
    expect(mediaLine(final)).toBe("m=audio RTP/AVP 8 101");
    expect(run.negotiated.map((one) => one.keys)).toEqual([null]);
  });

  test.each([
    [
      "required",
      "in clear",
      SDP,
      "the audio is offered in clear, and the trunk's setting srtp = required forbids that",
    ],
    ["off", "as SRTP", SECURE_SDP, "the audio is offered as SRTP alone, which is off for this trunk"],
    ["preferred", "as DTLS-SRTP", DTLS_SDP, "the audio is offered as DTLS-SRTP, which is not supported"],
    ["required", "as DTLS-SRTP", DTLS_SDP, "the audio is offered as DTLS-SRTP, which is not supported"],
  ] as const)("%s, and it comes %s: 488, and its record says why", async (srtp, _, sdp, reason) => {
    const { final, run, callId } = await calledWith(srtp, sdp);
    expect(final.text).toStartWith("SIP/2.0 488");
    expect(final.header("warning")).toContain(reason);
    const ending = await run.ended(callId);
    expect(ending).toMatchObject({ outcome: "rejected", sipCode: 488 });
    expect(ending.message).toStartWith(`We did not take the call: ${reason}`);
    expect(run.negotiated).toEqual([]);
  });

  test("with keys over UDP, from the address of a TLS trunk, is refused: everybody could have read them", async () => {
    for (const srtp of ["required", "preferred"] as const) {
      const tls = await tlsPeer();
      const run = await agentFor(tls.port, srtp);
      const forger = await udpPeer(() => null);
      forger.send(inviteOf(SECURE_SDP, "UDP"), run.agent.port);
      await until(() => forger.heard.length > 0);
      forger.close();
      expect(forger.heard[0]!.text).toStartWith("SIP/2.0 403");
      expect([run.inbound, run.negotiated]).toEqual([[], []]);
    }
  });
});
