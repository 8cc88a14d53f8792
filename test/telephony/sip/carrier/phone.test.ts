// What the worker does with its calls, run in this thread, with agents and peers of the test's own.
import { afterEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../../src/core/clock.ts";
import { createIds } from "../../../../src/core/ids.ts";
import type { Agent, Line } from "../../../../src/telephony/agent/port.ts";
import type { CreateAgent } from "../../../../src/telephony/sip/phone/guarded-agent.ts";
import { createPhone, type Phone } from "../../../../src/telephony/sip/phone/phone.ts";
import type { CallOrder, FromWorker, WorkerSettings } from "../../../../src/telephony/sip/protocol.ts";
import { tempFolder } from "../../../support/temp.ts";
import { until } from "../../../support/until.ts";
import { trunkAt } from "../signalling/agent-under-test.ts";
import { bye, friendly, reply, udpPeer, type Heard, type UdpPeer } from "../signalling/scripted-peer.ts";
import { startSipp, testWithSipp } from "../signalling/sipp.ts";
import { NUMBERS, workerSettings } from "./bench.ts";

const FAILING = NUMBERS.talks;
const OTHER = "+919810019999";
const TONE = new Int16Array(800).fill(5_000);

interface PhoneUnderTest {
  phone: Phone;
  said: FromWorker[];
  dial(given?: Partial<CallOrder>): void;
  /** Waits for the report, and gives it. */
  heard<Type extends FromWorker["type"]>(type: Type, callId?: string): Promise<Extract<FromWorker, { type: Type }>>;
  stop(drainMs?: number): Promise<void>;
}

const cleanUps: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

function order(given: Partial<CallOrder> = {}): CallOrder {
  return {
    callId: "a",
    trunkId: "main",
    from: "+911140001000",
    to: FAILING,
    recordingFile: join(tempFolder(), "a.wav"),
    captureFile: null,
    brief: {
      agentName: "Asha",
      language: "en-IN",
      greeting: "Good morning.",
      contactName: null,
      transferTo: null,
      direction: "outbound",
    },
    prompts: {},
    hasDesk: false,
    canBook: false,
    ...given,
  };
}

const RESULT = { transcript: [], analytics: null, extractedDetails: null };
const idle = (): Agent => ({ answered() {}, keyPressed() {}, ended: () => RESULT });

async function peerThat(answers: (request: Heard, contact: string) => string | null = friendly): Promise<UdpPeer> {
  const peer = await udpPeer((request, self) => answers(request, `sip:peer@127.0.0.1:${self.port}`));
  cleanUps.push(() => peer.close());
  return peer;
}

async function startPhone(
  peerPort: number,
  createAgent: CreateAgent = idle,
  given: Partial<WorkerSettings> = {},
): Promise<PhoneUnderTest> {
  const said: FromWorker[] = [];
  const send = (message: FromWorker) => void said.push(message);
  const phone = createPhone({ clock: systemClock, ids: createIds(systemClock), createAgent, send });
  const find = (type: string, callId: string | undefined) =>
    said.find(
      (message) =>
        message.type === type && (callId === undefined || ("callId" in message && message.callId === callId)),
    );
  const heard: PhoneUnderTest["heard"] = async (type, callId) => {
    await until(() => find(type, callId) !== undefined, {
      what: () => `no ${type} in ${said.map((m) => m.type).join()}`,
    });
    return find(type, callId) as never;
  };
  const stop = async (drainMs = 0) => {
    phone.receive({ type: "stop", drainMs });
    await heard("stopped");
  };
  cleanUps.push(() => (find("stopped", undefined) ? undefined : stop()));
  const settings = workerSettings({ rtpPorts: { from: 22_400, to: 22_799 }, ...given });
  phone.receive({ type: "start", settings, trunks: [trunkAt(peerPort)] });
  await heard("trunkState");
  return { phone, said, dial: (change) => phone.receive({ type: "dial", order: order(change) }), heard, stop };
}

const methods = (peer: UdpPeer) => peer.heard.map(({ method }) => method).filter((method) => method !== "SIP/2.0");

describe("an agent that throws", () => {
  const PLACES: Record<string, (broken: () => never) => Partial<Agent> | (() => never)> = {
    "while it is made": (broken) => broken,
    "at the answer": (broken) => ({ answered: broken }),
    "when a prompt has been played": (broken) => ({ answered: (line) => line.play(TONE, broken) }),
    "when a key is pressed": (broken) => ({ keyPressed: broken }),
  };

  test.each(Object.keys(PLACES))("%s fails its own call alone, which is hung up", async (place) => {
    const broken = (): never => {
      throw new Error("Meera's number is +919810012345");
    };
    const parts = PLACES[place]!(broken);
    const peer = await peerThat();
    let made = 0;
    const run = await startPhone(peer.port, () => {
      if (++made > 1) return idle();
      return typeof parts === "function" ? parts() : { ...idle(), ...parts };
    });
    run.dial({ callId: "failing" });
    run.dial({ callId: "other", to: OTHER });
    await run.heard("answered", "other");
    if (place.includes("key")) peer.send(keyInfo(inviteOf(peer, FAILING), peer.port), sipPort(run));
    const { end } = await run.heard("ended", "failing");
    expect(end).toMatchObject({ kind: "failed", code: "infrastructure_error" });
    const logged = run.said.filter((message) => message.type === "log" && message.level === "error");
    expect(logged).toHaveLength(1);
    expect(JSON.stringify(logged)).not.toContain("Meera");
    if (place !== "while it is made") expect(methods(peer)).toContain("BYE");
    expect(run.said.some((message) => message.type === "ended" && message.callId === "other")).toBe(false);
  });

  test("in a timer of its own does so too", async () => {
    const peer = await peerThat();
    const run = await startPhone(peer.port, ({ clock }) => ({
      ...idle(),
      answered() {
        clock.after(1, () => {
          throw new Error("late");
        });
      },
    }));
    run.dial();
    const { end } = await run.heard("ended", "a");
    expect(end).toMatchObject({
      kind: "failed",
      code: "infrastructure_error",
      message: expect.stringContaining("agent"),
    });
  });
});

describe("the line", () => {
  test("plays to the end, and hears false for what is cut off by a hang-up", async () => {
    const peer = await peerThat();
    const ends: (boolean | string)[] = [];
    const run = await startPhone(peer.port, () => ({
      ...idle(),
      answered(line) {
        line.play(TONE, (wasPlayedOut) => ends.push(wasPlayedOut));
        line.play(new Int16Array(80_000), (wasPlayedOut) => {
          ends.push(wasPlayedOut);
          // Nobody is there any more: neither played nor told of.
          line.play(TONE, () => ends.push("after the end"));
        });
      },
      ended(by) {
        ends.push(by);
        return RESULT;
      },
    }));
    run.dial();
    await until(() => ends.length === 1);
    run.phone.receive({ type: "hangUp", callId: "a" });
    const { end } = await run.heard("ended", "a");
    expect(ends).toEqual([true, false, "us"]);
    expect(end).toMatchObject({ kind: "completed", recorded: true, line: { trunkId: "main", trace: [] } });
    expect(end.line?.media?.sentPackets).toBeGreaterThan(3);
  });

  test("hangs up when the agent says so, and the agent hears that it was us", async () => {
    const peer = await peerThat();
    const heard: string[] = [];
    const run = await startPhone(peer.port, () => ({
      ...idle(),
      answered(line) {
        line.hangUp();
        heard.push("asked");
      },
      ended(by) {
        heard.push(by);
        return RESULT;
      },
    }));
    run.dial();
    expect((await run.heard("ended", "a")).end.kind).toBe("completed");
    expect(heard).toEqual(["asked", "us"]);
    expect(methods(peer)).toEqual(["INVITE", "ACK", "BYE"]);
  });

  test("is hung up after the longest time that a call may last", async () => {
    const peer = await peerThat();
    const run = await startPhone(peer.port, idle, { longestCallMs: 100 });
    run.dial();
    expect((await run.heard("ended", "a")).end).toMatchObject({ kind: "completed" });
  });

  testWithSipp.each([
    ["SIP/2.0 200 OK", "answered"],
    ["SIP/2.0 486 Busy Here", "refused"],
  ])("transfers, and hears of %s as %s", async (transfer_result, outcome) => {
    const sipp = await startSipp("transfer", { words: { transfer_result } });
    let result = "";
    const run = await startPhone(sipp.port, () => ({
      ...idle(),
      answered: (line) => void line.transfer("+919800000002").then((told) => (result = told)),
    }));
    run.dial();
    await run.heard("ended", "a");
    await sipp.finished();
    expect(result).toBe(outcome);
  });

  test("tells a transfer as refused where the call ends before it is decided", async () => {
    const peer = await peerThat();
    let result = "";
    const transfer = (line: Line) => void line.transfer("+919800000002").then((told) => (result = told));
    const run = await startPhone(peer.port, () => ({ ...idle(), answered: transfer }));
    run.dial();
    await until(() => methods(peer).includes("REFER"));
    run.phone.receive({ type: "hangUp", callId: "a" });
    await run.heard("ended", "a");
    expect(result).toBe("refused");
  });
});

test("a key that comes by RTP and by INFO reaches the agent once", async () => {
  const peer = await peerThat();
  const keys: string[] = [];
  const run = await startPhone(peer.port, () => ({ ...idle(), keyPressed: (key) => void keys.push(key) }));
  run.dial();
  await run.heard("answered", "a");
  const invite = inviteOf(peer, FAILING);
  const rtp = await Bun.udpSocket({ hostname: "127.0.0.1", port: 0 });
  cleanUps.push(() => rtp.close());
  const rtpPort = Number(/m=audio (\d+)/.exec(invite.text)![1]);
  // Version 2, payload type 101 with its marker, then the event: key 7, end of it, 800 samples long.
  rtp.send(Buffer.from("80e50001000003e80000abcd078a0320", "hex"), rtpPort, "127.0.0.1");
  await until(() => keys.length === 1);
  peer.send(keyInfo(invite, peer.port, "7"), sipPort(run));
  peer.send(keyInfo(invite, peer.port, "8", 2), sipPort(run));
  await until(() => keys.length > 1);
  expect(keys).toEqual(["7", "8"]);
});

describe("an order to dial", () => {
  test("offers A-law first to India, and µ-law first to North America", async () => {
    const peer = await peerThat();
    const run = await startPhone(peer.port);
    run.dial({ callId: "india" });
    await run.heard("answered", "india");
    run.dial({ callId: "america", to: "+12125550100" });
    await run.heard("answered", "america");
    const offers = peer.heard.flatMap(({ text }) => /m=audio \d+ RTP\/AVP (.*)/.exec(text)?.[1] ?? []);
    expect(offers).toEqual(["8 0 101", "0 8 101"]);
  });

  test("that is taken back while its audio ports open is never on the wire", async () => {
    const peer = await peerThat();
    const run = await startPhone(peer.port);
    run.dial();
    run.phone.receive({ type: "hangUp", callId: "a" });
    const { end } = await run.heard("ended", "a");
    expect(end).toMatchObject({ code: "interrupted", message: "The call was hung up before it was answered." });
    await Bun.sleep(50);
    expect(methods(peer)).toEqual([]);
  });

  test("for which no audio port is left fails, and says what to widen", async () => {
    const peer = await peerThat();
    const run = await startPhone(peer.port, idle, { rtpPorts: { from: 22_900, to: 22_901 } });
    run.dial();
    await run.heard("answered", "a");
    run.dial({ callId: "b" });
    const { end } = await run.heard("ended", "b");
    expect(end).toMatchObject({ code: "infrastructure_error", message: expect.stringContaining("rtp_port_from") });
  });

  test("makes its agent while the phone rings, and tells it of the end where nobody answers", async () => {
    const peer = await peerThat((request, contact) =>
      request.method === "INVITE" ? reply(request, "180 Ringing") : friendly(request, contact),
    );
    const heard: string[] = [];
    const run = await startPhone(peer.port, () => {
      heard.push(`made after ${methods(peer).length} messages`);
      return { ...idle(), ended: (by) => (heard.push(by), RESULT) };
    });
    run.dial();
    const { end } = await run.heard("ended", "a");
    expect(end).toMatchObject({ kind: "failed", code: "no_answer", line: { media: null } });
    expect(heard).toEqual(["made after 0 messages", "peer"]);
  });

  test("with a capture file leaves its packets there", async () => {
    const peer = await peerThat();
    const run = await startPhone(peer.port);
    const captureFile = join(tempFolder(), "a.pcap");
    run.dial({ captureFile });
    await run.heard("answered", "a");
    run.phone.receive({ type: "hangUp", callId: "a" });
    expect((await run.heard("ended", "a")).end.line?.captured).toBe(true);
    expect(existsSync(captureFile)).toBe(true);
  });
});

describe("stopping", () => {
  test("lets an answered call end by itself, but no phone ring on", async () => {
    const peer = await peerThat((request, contact) =>
      request.method === "INVITE" && request.header("to").includes(OTHER)
        ? reply(request, "180 Ringing")
        : friendly(request, contact),
    );
    const run = await startPhone(peer.port, idle, { ringTimeoutMs: 20_000 });
    run.dial({ callId: "talking" });
    run.dial({ callId: "ringing", to: OTHER });
    await run.heard("answered", "talking");
    await run.heard("ringing", "ringing");
    run.phone.receive({ type: "stop", drainMs: 20_000 });
    expect((await run.heard("ended", "ringing")).end).toMatchObject({ kind: "failed", code: "interrupted" });
    expect(run.said.some((message) => message.type === "ended" && message.callId === "talking")).toBe(false);
    peer.send(
      bye(inviteOf(peer, FAILING), `SIP/2.0/UDP 127.0.0.1:${peer.port}`, "sip:ringward@127.0.0.1"),
      sipPort(run),
    );
    expect((await run.heard("ended", "talking")).end.kind).toBe("completed");
    await run.heard("stopped");
  });

  test("hangs up what is left after the drain, as interrupted, and frees its port", async () => {
    const peer = await peerThat();
    const run = await startPhone(peer.port);
    const port = sipPort(run);
    run.dial();
    await run.heard("answered", "a");
    await run.stop(50);
    expect((await run.heard("ended", "a")).end).toMatchObject({ kind: "failed", code: "interrupted" });
    expect(methods(peer).at(-1)).toBe("BYE");
    const again = await Bun.udpSocket({ hostname: "127.0.0.1", port });
    again.close();
  });
});

function sipPort({ said }: PhoneUnderTest): number {
  const ready = said.find((message) => message.type === "ready");
  return ready!.port;
}

function inviteOf(peer: UdpPeer, number: string): Heard {
  return peer.heard.find(({ method, text }) => method === "INVITE" && text.includes(number))!;
}

/** A key by SIP INFO inside the call that this INVITE made. */
function keyInfo(invite: Heard, port: number, key = "5", cseq = 1): string {
  const body = `Signal=${key}\r\nDuration=160\r\n`;
  return [
    "INFO sip:ringward@127.0.0.1 SIP/2.0",
    `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bKinfo${key}`,
    `From: ${invite.header("to")};tag=peer`,
    `To: ${invite.header("from")}`,
    `Call-ID: ${invite.header("call-id")}`,
    `CSeq: ${cseq} INFO`,
    "Content-Type: application/dtmf-relay",
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
}
