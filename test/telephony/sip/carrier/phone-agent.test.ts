// An agent on the line: its actions, its events, and the end of the call when it fails.
import { describe, expect, test } from "bun:test";
import { decodeTable } from "../../../../src/audio/g711.ts";
import type { Line, CallAgent } from "../../../../src/telephony/port.ts";
import { createTalkingAgent } from "../../../../src/voice/talking/talking.ts";
import { until } from "../../../support/until.ts";
import { BRIEF } from "../../carrier-log.ts";
import { audioOf } from "../../rtp/driven-call.ts";
import { bye, friendly, reply, SDP, type Heard } from "../transport/scripted-peer.ts";
import { startSipp, testWithSipp } from "../sipp/sipp.ts";
import { NUMBERS } from "./bench.ts";
import { afterwards, cleanUpAfterEach } from "./clean-up.ts";
import {
  idle,
  inviteOf,
  keyInfo,
  methods,
  OTHER,
  peerThat,
  RESULT,
  sipPort,
  startPhone,
  TONE,
} from "./phone-under-test.ts";

cleanUpAfterEach();

/** How a transfer went, inside the call that this INVITE made. */
function notifyOf(invite: Heard, port: number, result: string): string {
  const body = `SIP/2.0 ${result}\r\n`;
  return keyInfo(invite, port, "1", 2)
    .replaceAll("INFO", "NOTIFY")
    .replace(/Content-Type.*/s, "")
    .concat(`Event: refer\r\nContent-Type: message/sipfrag\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
}

describe("an agent that throws", () => {
  const PLACES: Record<string, (broken: () => never) => Partial<CallAgent> | (() => never)> = {
    "while it is made": (broken) => broken,
    "at the answer": (broken) => ({ answered: broken }),
    "when a sound has been played": (broken) => ({ answered: (line) => line.play(TONE, broken) }),
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
    if (place.includes("key")) peer.send(keyInfo(inviteOf(peer, NUMBERS.talks), peer.port), sipPort(run));
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
        line.record(true);
        line.play(TONE, ({ isWhole }) => ends.push(isWhole));
        line.play({ ...TONE, samples: new Int16Array(80_000) }, ({ isWhole }) => {
          ends.push(isWhole);
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

test("while a transfer is under way the other side may be silent; once it was refused, it is gone", async () => {
  let framesSent = 0;
  const rtp = await Bun.udpSocket({ hostname: "127.0.0.1", port: 0, socket: { data: () => void framesSent++ } });
  afterwards(() => rtp.close());
  const sdp = SDP.replace(/m=audio \d+/, `m=audio ${rtp.port}`);
  const peer = await peerThat((request, contact) =>
    request.method === "REFER" ? reply(request, "202 Accepted") : friendly(request, contact, sdp),
  );
  const transfer = (line: Line) => void line.transfer("+919800000002");
  const run = await startPhone(peer.port, () => ({ ...idle(), answered: transfer }), { lostAudioMs: 100 });
  run.dial();
  await until(() => methods(peer).includes("REFER"));
  const invite = inviteOf(peer, NUMBERS.talks);
  rtp.send(audioOf(0x11, 5, 1), Number(/m=audio (\d+)/.exec(invite.text)![1]), "127.0.0.1");
  const before = framesSent;
  // Each is 20 ms: three times as long as the other side may be silent.
  await until(() => framesSent >= before + 15);
  expect(methods(peer)).not.toContain("BYE");
  peer.send(notifyOf(invite, peer.port, "486 Busy Here"), sipPort(run));
  // They talked and the transfer failed: the result says so, and does not blame the line.
  expect((await run.heard("ended", "a")).end).toMatchObject({ kind: "completed" });
});

test("a key on the line confirms the appointment only once its last words have arrived there", async () => {
  /** Each sentence has a level of its own, so that the telephone knows which one it hears. */
  const LEVELS = { greeting: 2_000, appointment: 8_000, menu: 16_000, other: 28_000 };
  const levelOf = (text: string) => {
    if (text.startsWith("Good morning")) return LEVELS.greeting;
    return text.startsWith("Your appointment is on")
      ? LEVELS.appointment
      : text.startsWith("Press 1")
        ? LEVELS.menu
        : LEVELS.other;
  };
  const framesHeard = new Map<number, number>();
  const linear = decodeTable("PCMA");
  const told: string[] = [];
  const rtp = await Bun.udpSocket({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(_, packet) {
        const level = linear[packet[100] ?? 0] ?? 0;
        const nearest = Object.values(LEVELS).find((each) => Math.abs(each - level) < each / 10);
        if (nearest) framesHeard.set(nearest, (framesHeard.get(nearest) ?? 0) + 1);
      },
    },
  });
  afterwards(() => rtp.close());
  const sdp = SDP.replace(/m=audio \d+/, `m=audio ${rtp.port}`);
  const peer = await peerThat((request, contact) => friendly(request, contact, sdp));
  const run = await startPhone(peer.port, (options) =>
    createTalkingAgent({
      ...options,
      brief: { ...BRIEF, announcesOpenly: true },
      tools: {
        recorded: () => null,
        say(text) {
          const samples = new Int16Array(16_000).fill(levelOf(text));
          const clauses = [{ samples, lengthMs: 2_000, words: text }];
          return { next: async () => clauses.shift() ?? null, cancel: () => void clauses.splice(0) };
        },
        ears: null,
        desk: {
          canBook: false,
          appointment: () => Promise.resolve({ date: "2026-05-05", startTime: "10:30" }),
          confirm: () => (told.push("confirmed"), Promise.resolve(true)),
          cancel: () => Promise.resolve(true),
          requestChange: () => (told.push("change"), Promise.resolve(true)),
          offer: () => Promise.resolve([]),
          book: () => Promise.resolve(null),
        },
        agree: () => Promise.resolve(),
      },
    }),
  );
  run.dial();
  await run.heard("answered", "a");
  const invite = inviteOf(peer, NUMBERS.talks);
  const press = (cseq: number) => {
    const info = keyInfo(invite, peer.port, "1", cseq).replace("branch=z9hG4bKinfo", `branch=z9hG4bKpress${cseq}`);
    peer.send(info, sipPort(run));
  };
  await until(() => (framesHeard.get(LEVELS.greeting) ?? 0) >= 5);
  press(1);
  await until(() => (framesHeard.get(LEVELS.appointment) ?? 0) >= 5);
  press(2);
  await until(() => (framesHeard.get(LEVELS.menu) ?? 0) >= 5);
  expect(told).toEqual([]);
  press(3);
  const { end } = await run.heard("ended", "a");
  expect(told).toEqual(["confirmed"]);
  expect(end).toMatchObject({ talk: { extractedDetails: { answer: "confirmed", keys: "111" } } });
});

test.each([
  ["404 Not Found", "gone"],
  ["", "handed_over"],
])(
  "the exchange hangs up on a transfer and tells %p: sound ends there and then, and the agent hears %s",
  async (told, outcome) => {
    const peer = await peerThat((request, contact) =>
      request.method === "REFER" ? reply(request, "202 Accepted") : friendly(request, contact),
    );
    const heard: string[] = [];
    const run = await startPhone(peer.port, () => ({
      ...idle(),
      answered(line) {
        line.play({ ...TONE, samples: new Int16Array(800_000) }, ({ isWhole }) => heard.push(`played ${isWhole}`));
        void line.transfer("+919800000002").then((end) => heard.push(end));
      },
      ended(by) {
        heard.push(`ended ${by}`);
        return RESULT;
      },
    }));
    run.dial();
    await until(() => methods(peer).includes("REFER"));
    const invite = inviteOf(peer, NUMBERS.talks);
    const via = `SIP/2.0/UDP 127.0.0.1:${peer.port}`;
    peer.send(bye(invite, via, "sip:ringward@127.0.0.1"), sipPort(run));
    await until(() => heard.length > 0);
    expect(heard).toEqual(["played false"]);
    if (told !== "") peer.send(notifyOf(invite, peer.port, told), sipPort(run));
    expect((await run.heard("ended", "a")).end).toMatchObject({ kind: "completed" });
    expect(heard).toEqual(["played false", outcome, "ended peer"]);
  },
);

test("a key that comes by RTP and by INFO reaches the agent once", async () => {
  const rtp = await Bun.udpSocket({ hostname: "127.0.0.1", port: 0 });
  afterwards(() => rtp.close());
  const sdp = SDP.replace(/m=audio \d+/, `m=audio ${rtp.port}`);
  const peer = await peerThat((request, contact) => friendly(request, contact, sdp));
  const keys: string[] = [];
  const run = await startPhone(peer.port, () => ({ ...idle(), keyPressed: (key) => void keys.push(key) }));
  run.dial();
  await run.heard("answered", "a");
  const invite = inviteOf(peer, NUMBERS.talks);
  const rtpPort = Number(/m=audio (\d+)/.exec(invite.text)![1]);
  // Version 2, payload type 101 with its marker, then the event: key 7, end of it, 800 samples long.
  rtp.send(Buffer.from("80e50001000003e80000abcd078a0320", "hex"), rtpPort, "127.0.0.1");
  await until(() => keys.length === 1);
  peer.send(keyInfo(invite, peer.port, "7"), sipPort(run));
  peer.send(keyInfo(invite, peer.port, "8", 2), sipPort(run));
  await until(() => keys.length > 1);
  expect(keys).toEqual(["7", "8"]);
});
