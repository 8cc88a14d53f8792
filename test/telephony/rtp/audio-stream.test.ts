import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, existsSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "../../../src/core/logger.ts";
import { createMediaEngine } from "../../../src/telephony/rtp/engine.ts";
import { playableOf } from "../../../src/telephony/rtp/playable.ts";
import {
  emptyRtpHeader,
  parseRtp,
  sequenceDistance,
  timestampDistance,
  writeRtpHeader,
} from "../../../src/telephony/rtp/rtp.ts";
import { heardShare, WELL_HEARD } from "../../support/correlate.ts";
import { audioPorts, reservedPort } from "../../support/free-ports.ts";
import { saidOver, speechLike } from "../../support/sounds.ts";
import { until } from "../../support/until.ts";
import { loudness, parseWav } from "../wav.ts";
import { correlate, heardBy, LOOPBACK, remoteAt, stageWith, talkingPair, voice, type Stage } from "./stage.ts";

const folder = mkdtempSync(join(tmpdir(), "ringward-media-"));
afterAll(() => rmSync(folder, { recursive: true }));

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function staged(options: Parameters<typeof stageWith>[0] = {}): Stage {
  const stage = stageWith(options);
  closers.push(() => stage.engine.stop());
  return stage;
}

async function udp(hostname: string, receive: (bytes: Uint8Array, port: number) => void = () => {}) {
  const socket = await Bun.udpSocket({
    hostname,
    port: 0,
    socket: { data: (_, bytes, port) => receive(bytes, port), error() {} },
  });
  closers.push(() => socket.close());
  return socket;
}

describe("sound", () => {
  test.each([
    ["µ-law", { codec: "PCMU", payloadType: 0 }],
    ["A-law", { codec: "PCMA", payloadType: 8 }],
  ] as const)("in %s goes both ways, unharmed and without a gap", async (_, changes) => {
    const stage = staged();
    const [a, b] = await talkingPair(stage, { changes });
    const [heardByA, heardByB] = [heardBy(a), heardBy(b)];
    const [saidByA, saidByB] = [voice(2, 1), voice(2, 2)];
    const ends: string[] = [];
    a.play(playableOf(saidByA), (finished, playedMs) => ends.push(`a ${finished} ${playedMs}`));
    b.play(playableOf(saidByB), (finished, playedMs) => ends.push(`b ${finished} ${playedMs}`));
    await stage.clock.advance(3_000);

    expect(ends.toSorted()).toEqual(["a true 2000", "b true 2000"]);
    for (const [heard, said] of [
      [heardByB, saidByA],
      [heardByA, saidByB],
    ] as const) {
      const { correlation, lagMs } = correlate(heard.samples, said);
      expect(correlation).toBeGreaterThan(0.99);
      expect(lagMs).toBeWithin(40, 121);
    }
    for (const stream of [a, b]) {
      const stats = stream.stats();
      expect(stats).toMatchObject({ lostPackets: 0, latePackets: 0, gaps: 0, oneWayAudio: false });
      expect(stats.sentPackets).toBeWithin(149, 152);
      expect(stats.mos).toBeGreaterThan(4.3);
    }
  });

  test("silence is sent before, between and after sounds, a packet every 20 ms", async () => {
    const stage = staged();
    const arrivals: number[] = [];
    const peer = await udp(LOOPBACK, () => arrivals.push(stage.clock.now()));
    const stream = await stage.engine.open("call", { recordingFile: null });
    stream.negotiated(remoteAt(peer.port));
    await stage.clock.advance(1_000);
    expect(arrivals).toHaveLength(50);
    expect(arrivals.every((at, i) => i === 0 || at === arrivals[i - 1]! + 20)).toBeTrue();
  });

  test("a stop is silent within 40 ms on the wire", async () => {
    const stage = staged();
    const loudAt: number[] = [];
    const peer = await udp(LOOPBACK, (bytes) => {
      if (bytes.subarray(12).some((byte) => byte !== 0xff)) loudAt.push(stage.clock.now());
    });
    const stream = await stage.engine.open("call", { recordingFile: null });
    stream.negotiated(remoteAt(peer.port));
    stream.play(playableOf(voice(5)), () => {});
    await stage.clock.advance(1_007);
    const stoppedAt = stage.clock.now();
    stream.stopPlaying();
    await stage.clock.advance(500);
    expect(loudAt.length).toBeWithin(49, 53);
    expect(loudAt.at(-1)! - stoppedAt).toBeLessThan(40);
  });

  test("a peer that answers in the other law is understood", async () => {
    const stage = staged();
    const a = await stage.engine.open("call_a", { recordingFile: null });
    const b = await stage.engine.open("call_b", { recordingFile: null });
    a.negotiated(remoteAt(b.localPort, { codec: "PCMU", payloadType: 0 }));
    b.negotiated(remoteAt(a.localPort, { codec: "PCMA", payloadType: 8 }));
    const [heard, said] = [heardBy(a), voice(1)];
    b.play(playableOf(said), () => {});
    await stage.clock.advance(1_500);
    expect(correlate(heard.samples, said).correlation).toBeGreaterThan(0.99);
  });

  test("in real time it goes through as well", async () => {
    const engine = createMediaEngine({ logger: silentLogger, bindAddress: LOOPBACK, portRange: audioPorts(4) });
    closers.push(() => engine.stop());
    const [a, b] = await talkingPair({ engine } as Stage);
    const [heard, said] = [heardBy(b), speechLike(1, 1)];
    let isSaid = false;
    a.play(playableOf(saidOver(said)), () => (isSaid = true));
    await until(() => isSaid);
    // What is still in the jitter buffer comes within a few frames.
    const framesHeard = heard.frames.length;
    await until(() => heard.frames.length > framesHeard + 20);
    // How whole it is depends on how often the machine stands still; ./scripts/bench media counts the gaps.
    expect(heardShare(heard.samples, said)).toBeGreaterThan(WELL_HEARD);
  });
});

describe("keys", () => {
  test("are heard both ways, once each, and the sound goes on after them", async () => {
    const stage = staged();
    const [a, b] = await talkingPair(stage);
    const heard = { a: "", b: "" };
    a.onDtmf((digit) => (heard.a += digit));
    b.onDtmf((digit) => (heard.b += digit));
    const said = voice(1);
    const sound = heardBy(b);
    a.sendDtmf("1234567890*#abcd");
    a.play(playableOf(said), () => {});
    b.sendDtmf("99");
    await stage.clock.advance(5_000);
    expect(heard).toEqual({ a: "99", b: "1234567890*#ABCD" });
    expect(correlate(sound.samples, said).correlation).toBeGreaterThan(0.99);
    expect(b.stats()).toMatchObject({ lostPackets: 0, gaps: 0 });
  });

  test("are tones, both ways, where the peer knows no key events", async () => {
    const stage = staged();
    const [a, b] = await talkingPair(stage, { changes: { dtmfPayloadType: null } });
    const sound = heardBy(b);
    let keys = "";
    b.onDtmf((digit) => (keys += digit));
    a.sendDtmf("5");
    await stage.clock.advance(500);
    const loudFrames = Array.from({ length: sound.frames.length }, (_, i) =>
      sound.samples.slice(i * 160, i * 160 + 160),
    ).filter((frame) => Math.max(...frame) > 5_000).length;
    expect([keys, loudFrames]).toEqual(["5", 5]);
  });

  test("that do not exist are refused", async () => {
    const [a] = await talkingPair(staged());
    expect(() => a.sendDtmf("12w")).toThrow("W");
  });
});

/** A relay between two streams that passes what `passes` allows. */
async function relayedPair(stage: Stage, passes: (packet: number) => boolean) {
  const a = await stage.engine.open("call_a", { recordingFile: null });
  const b = await stage.engine.open("call_b", { recordingFile: null });
  let count = 0;
  const relay = await udp(LOOPBACK, (bytes, port) => {
    if (!passes(count++)) return;
    relay.send(bytes, port === a.localPort ? b.localPort : a.localPort, LOOPBACK);
  });
  for (const stream of [a, b]) {
    stream.negotiated(remoteAt(relay.port));
    stream.answered();
  }
  return { a, b };
}

test("with every twentieth packet lost speech is still whole, the loss is counted and the score falls", async () => {
  const stage = staged();
  let seed = 7;
  const { a, b } = await relayedPair(stage, () => (seed = (seed * 48_271) % 2_147_483_647) % 20 !== 0);
  const [heard, said] = [heardBy(b), voice(4)];
  a.play(playableOf(said), () => {});
  let keys = "";
  a.onDtmf((digit) => (keys += digit));
  b.sendDtmf("1290");
  await stage.clock.advance(10_000);
  const stats = b.stats();
  expect(stats.lossShare).toBeWithin(0.025, 0.08);
  expect(stats.gaps).toBeGreaterThan(5);
  expect(stats.mos!).toBeWithin(3.3, 4.2);
  expect(correlate(heard.samples, said).correlation).toBeGreaterThan(0.9);
  expect(keys).toBe("1290");
});

describe("the right peer", () => {
  test("gets our voice at another port than its SDP names where the trunk is behind a NAT, and not otherwise", async () => {
    for (const symmetricRtp of [true, false]) {
      const stage = staged();
      const a = await stage.engine.open("call_a", { recordingFile: null });
      const b = await stage.engine.open("call_b", { recordingFile: null });
      const nobody = await udp(LOOPBACK);
      a.negotiated(remoteAt(nobody.port, { symmetricRtp }));
      b.negotiated(remoteAt(a.localPort));
      a.answered();
      const [heard, said] = [heardBy(b), voice(1)];
      await stage.clock.advance(100);
      a.play(playableOf(said), () => {});
      await stage.clock.advance(1_300);
      expect(correlate(heard.samples, said).correlation > 0.99).toBe(symmetricRtp);
      expect(a.stats().receivedPackets > 0).toBe(symmetricRtp);
    }
  });

  test("is not talked over by a stranger who found the port", async () => {
    const stage = staged();
    const [a, b] = await talkingPair(stage);
    const [heard, said] = [heardBy(b), voice(2)];
    const stranger = await udp("127.0.0.2", () => strangerHeard++);
    let strangerHeard = 0;
    let keys = "";
    b.onDtmf((digit) => (keys += digit));
    a.play(playableOf(said), () => {});
    await stage.clock.advance(100);
    for (let i = 0; i < 100; i++) {
      stranger.send(packetOf(66, i, i * 160), b.localPort, LOOPBACK);
      stranger.send(packetOf(66, i, i * 160, 101), b.localPort, LOOPBACK);
      stranger.send(new Uint8Array(i), b.localPort, LOOPBACK);
      await stage.clock.advance(20);
    }
    await stage.clock.advance(500);
    expect(correlate(heard.samples, said).correlation).toBeGreaterThan(0.99);
    expect(b.stats()).toMatchObject({ ignoredPackets: 300, gaps: 0, lostPackets: 0 });
    expect([strangerHeard, keys]).toEqual([0, ""]);
  });

  test("that is not listening yet stops nothing", async () => {
    const stage = staged();
    const stream = await stage.engine.open("call", { recordingFile: null });
    const port = reservedPort(); // every packet to it comes back as refused
    stream.negotiated(remoteAt(port));
    await stage.clock.advance(500);
    expect(stream.stats().sentPackets).toBeGreaterThanOrEqual(24);
    let received = 0;
    const late = await Bun.udpSocket({ hostname: LOOPBACK, port, socket: { data: () => void received++ } });
    closers.push(() => late.close());
    await stage.clock.advance(500);
    expect(received).toBeGreaterThanOrEqual(24);
  });
});

function packetOf(ssrc: number, sequence: number, timestamp: number, payloadType = 0): Uint8Array {
  const bytes = new Uint8Array(172).fill(0x20);
  writeRtpHeader(bytes, payloadType, false, sequence, timestamp, ssrc);
  return bytes;
}

describe("hold", () => {
  test.each([
    ["sendonly", { direction: "sendonly" }],
    ["inactive", { direction: "inactive" }],
    ["an address of zeros", { address: "0.0.0.0" }],
  ] as const)("by %s: nothing is sent, the sound waits, and goes on afterwards", async (_, hold) => {
    const stage = staged();
    const [a, b] = await talkingPair(stage);
    const [heard, said] = [heardBy(b), voice(1)];
    const holds: boolean[] = [];
    a.onHold((isHeld) => void holds.push(isHeld));
    let isOver = false;
    await stage.clock.advance(200);
    const before = a.stats().sentPackets;
    a.negotiated(remoteAt(b.localPort, hold));
    a.play(playableOf(said), () => (isOver = true));
    await stage.clock.advance(7_000);
    expect([a.stats().sentPackets - before, isOver]).toEqual([0, false]);

    a.negotiated(remoteAt(b.localPort, hold));
    a.negotiated(remoteAt(b.localPort));
    a.negotiated(remoteAt(b.localPort));
    expect(holds).toEqual([true, false]);
    await stage.clock.advance(1_500);
    expect(isOver).toBeTrue();
    expect(correlate(heard.samples, said).correlation).toBeGreaterThan(0.99);
    expect(b.stats().gaps).toBe(0);
  });
});

describe("a deaf line", () => {
  test("is told five seconds after the answer, warned of once, and over with the first packet", async () => {
    const warnings: string[] = [];
    const stage = staged({ logger: { ...silentLogger, warn: (message) => warnings.push(message) } });
    const peer = await udp(LOOPBACK);
    const stream = await stage.engine.open("call", { recordingFile: null });
    stream.negotiated(remoteAt(peer.port));
    await stage.clock.advance(8_000);
    stream.answered();
    await stage.clock.advance(4_900);
    expect(stream.stats().oneWayAudio).toBeFalse();
    await stage.clock.advance(3_000);
    expect(stream.stats()).toMatchObject({ oneWayAudio: true, mos: null });
    expect(warnings).toHaveLength(1);
    peer.send(packetOf(5, 1, 160), stream.localPort, LOOPBACK);
    await stage.clock.advance(40);
    expect(stream.stats().oneWayAudio).toBeFalse();
  });

  test("whose audio comes from where the peer did not say is told what to set", async () => {
    const warnings: string[] = [];
    const stage = staged({ logger: { ...silentLogger, warn: (message) => warnings.push(message) } });
    const [named, other] = [await udp(LOOPBACK), await udp(LOOPBACK)];
    const stream = await stage.engine.open("call", { recordingFile: null });
    stream.negotiated(remoteAt(named.port));
    stream.answered();
    other.send(packetOf(5, 1, 160), stream.localPort, LOOPBACK);
    await stage.clock.advance(7_000);
    expect(warnings).toEqual([expect.stringContaining("symmetric_rtp")]);
  });

  test("is not suspected while the peer holds us without music", async () => {
    const stage = staged();
    const peer = await udp(LOOPBACK);
    const stream = await stage.engine.open("call", { recordingFile: null });
    stream.negotiated(remoteAt(peer.port, { direction: "inactive" }));
    stream.answered();
    await stage.clock.advance(20_000);
    expect(stream.stats().oneWayAudio).toBeFalse();
    stream.negotiated(remoteAt(peer.port));
    await stage.clock.advance(5_100);
    expect(stream.stats().oneWayAudio).toBeTrue();
  });
});

test("both sides learn from reports how the other hears them", async () => {
  const stage = staged();
  const [a, b] = await talkingPair(stage);
  await stage.clock.advance(16_000);
  for (const stream of [a, b]) {
    const { roundTripMs, remoteLossShare, remoteJitterMs } = stream.stats();
    expect(roundTripMs).toBeWithin(0, 21);
    expect([remoteLossShare, remoteJitterMs]).toEqual([0, 0]);
  }
});

describe("the recording", () => {
  test("has the agent left and the caller right, from answer to end, also without incoming packets", async () => {
    const stage = staged();
    const file = join(folder, "both.wav");
    const [a, b] = await talkingPair(stage, { files: [file, null], changes: { codec: "PCMA", payloadType: 8 } });
    const [saidByA, saidByB] = [voice(1, 1), voice(1, 2)];
    a.play(playableOf(saidByA), () => {});
    await stage.clock.advance(2_000);
    b.play(playableOf(saidByB), () => {});
    await stage.clock.advance(1_500);
    await b.close();
    await stage.clock.advance(1_500);
    const closed = await a.close();
    expect(closed.recorded).toBeTrue();

    const { durationSeconds, channels } = parseWav(readFileSync(file));
    expect(durationSeconds).toBeWithin(4.96, 5.04);
    expect(closed.seconds).toBe(durationSeconds);
    const [left, right] = channels;
    expect(correlate(left, saidByA)).toMatchObject({ correlation: expect.closeTo(1, 1) });
    const caller = correlate(right, saidByB);
    expect(caller.correlation).toBeGreaterThan(0.99);
    expect(caller.lagMs).toBeWithin(2_040, 2_121);
    // A-law has no zero; its silence is 8 of 32,767.
    for (const quiet of [loudness(right, 0, 1.9), loudness(left, 1.2, 5), loudness(right, 3.8, 5)]) {
      expect(quiet).toBeLessThan(9);
    }
  });

  test("contains the caller's barge-in, and the agent's pause until it resumed", async () => {
    const stage = staged();
    const file = join(folder, "barge-in.wav");
    const [a, b] = await talkingPair(stage, { files: [file, null], changes: { codec: "PCMA", payloadType: 8 } });
    const [saidByA, saidByB] = [voice(2, 1), voice(1, 2)];
    const heardByB = heardBy(b);
    const playedMs = a.play(playableOf(saidByA), () => {});
    await stage.clock.advance(800);
    b.play(playableOf(saidByB), () => {});
    await stage.clock.advance(200);
    a.pausePlaying();
    const heardAtPause = heardByB.samples.length;
    await stage.clock.advance(1_000);
    const pausedAtMs = playedMs();
    expect(pausedAtMs).toBeWithin(1_000, 1_041);
    // A frame that fades out, and what the jitter buffer still held.
    const lastLoud = heardByB.samples.findLastIndex((sample) => Math.abs(sample) > 100);
    expect((lastLoud - heardAtPause) / 8).toBeLessThan(160);
    a.resumePlaying();
    await stage.clock.advance(1_500);
    await Promise.all([a.close(), b.close()]);

    const [left, right] = parseWav(readFileSync(file)).channels;
    expect(correlate(right, saidByB).correlation).toBeGreaterThan(0.99);
    expect(loudness(left, 1.1, 1.9)).toBeLessThan(9);
    const rest = correlate(left, saidByA.subarray((pausedAtMs + 40) * 8));
    expect(rest.correlation).toBeGreaterThan(0.98);
    expect(rest.lagMs).toBeWithin(1_980, 2_101);
  });

  test("keeps the clock's length over a stall, and so do the timestamps on the wire", async () => {
    const stage = staged();
    const file = join(folder, "stalled.wav");
    const stamps: { sequence: number; timestamp: number; marker: boolean }[] = [];
    const peer = await udp(LOOPBACK, (bytes) => {
      const header = emptyRtpHeader();
      if (parseRtp(bytes, header)) stamps.push({ ...header });
    });
    const stream = await stage.engine.open("call", { recordingFile: file });
    stream.negotiated(remoteAt(peer.port));
    stream.answered();
    stream.record(true);
    await stage.clock.advance(1_000);
    stage.clock.jump(2_000); // the process does nothing for two seconds
    await stage.clock.advance(1_000);
    expect((await stream.close()).seconds).toBeWithin(3.96, 4.04);
    expect(stream.talkedSeconds()).toBeWithin(3.96, 4.04);

    const [first, last] = [stamps[0]!, stamps.at(-1)!];
    expect(timestampDistance(last.timestamp, first.timestamp) / 8).toBeWithin(3_940, 4_001);
    expect(sequenceDistance(last.sequence, first.sequence)).toBe(stamps.length - 1);
    expect(stamps.length).toBeWithin(100, 106); // at most three frames are made up for
    expect(stamps.filter(({ marker }) => marker)).toHaveLength(2);
  });

  test("begins when it is turned on, not with the answer: until then there is no file", async () => {
    const stage = staged();
    const file = join(folder, "never.wav");
    const stream = await stage.engine.open("call", { recordingFile: file });
    stream.negotiated(remoteAt(40_000));
    await stage.clock.advance(500);
    stream.answered();
    await stage.clock.advance(5_000);
    stream.record(false);
    await stage.clock.advance(500);
    expect(stream.talkedSeconds()).toBeWithin(5.46, 5.54);
    expect(await stream.close()).toEqual({ recorded: false, seconds: 0 });
    stream.record(true);
    expect(existsSync(file)).toBeFalse();
  });

  test("that was on for less than a frame is none", async () => {
    const stage = staged();
    const stream = await stage.engine.open("call", { recordingFile: join(folder, "moment.wav") });
    stream.negotiated(remoteAt(40_000));
    stream.answered();
    await stage.clock.advance(100);
    stream.record(true);
    stream.record(false);
    await stage.clock.advance(100);
    expect(await stream.close()).toEqual({ recorded: false, seconds: 0 });
  });

  test("holds what was said while it was on, without gaps, and nothing else", async () => {
    const stage = staged();
    const file = join(folder, "parts.wav");
    const a = await stage.engine.open("call_a", { recordingFile: file });
    const b = await stage.engine.open("call_b", { recordingFile: null });
    a.negotiated(remoteAt(b.localPort));
    b.negotiated(remoteAt(a.localPort));
    a.answered();
    b.answered();
    const parts = [1, 2, 3, 4].map((seed) => voice(1, seed));
    for (const [i, part] of parts.entries()) {
      a.record(i % 2 === 1);
      a.play(playableOf(part), () => {});
      b.play(playableOf(part), () => {});
      await stage.clock.advance(1_500);
    }
    a.record(false);
    await stage.clock.advance(1_000);
    expect(a.talkedSeconds()).toBeWithin(6.96, 7.04);
    expect(await a.close()).toEqual({ recorded: true, seconds: expect.closeTo(3, 1) });
    const { durationSeconds, channels } = parseWav(readFileSync(file));
    expect(durationSeconds).toBeWithin(2.96, 3.04);
    for (const channel of channels) {
      const [first, second, third, fourth] = parts.map((part) => correlate(channel, part));
      expect(second!.correlation).toBeGreaterThan(0.98);
      expect(second!.lagMs).toBeLessThan(200);
      expect(fourth!.correlation).toBeGreaterThan(0.98);
      expect(fourth!.lagMs).toBeWithin(1_480, 1_700);
      expect(Math.max(first!.correlation, third!.correlation)).toBeLessThan(0.5);
    }
  });

  test("that cannot be written is logged and told; the call goes on", async () => {
    const errors: string[] = [];
    const stage = staged({ logger: { ...silentLogger, error: (message) => errors.push(message) } });
    const [a, b] = await talkingPair(stage, { files: [join(folder, "no", "such", "folder.wav"), null] });
    await stage.clock.advance(5_000);
    expect(b.stats().receivedPackets).toBeGreaterThan(200);
    expect((await a.close()).recorded).toBeFalse();
    expect(errors).toHaveLength(1);
  });
});

describe("the engine", () => {
  test("outlives listeners that throw, and the recording loses nothing by them", async () => {
    const errors: string[] = [];
    const stage = staged({ logger: { ...silentLogger, error: (message) => errors.push(message) } });
    const file = join(folder, "throwing.wav");
    const [a, b] = await talkingPair(stage, { files: [file, null] });
    const fail = () => {
      throw new Error("a listener's own fault");
    };
    a.onDtmf(fail);
    a.onFrame(fail);
    a.play(playableOf(voice(0.1)), fail);
    b.sendDtmf("1");
    await stage.clock.advance(1_000);
    expect(new Set(errors)).toEqual(new Set(["a packet could not be handled", "a call's media tick failed"]));
    expect((await a.close()).seconds).toBeWithin(0.96, 1.04);
  });

  test("steps over ports that another program holds, and says when none is left", async () => {
    const stage = stageWith({ pairs: 3 });
    closers.push(() => stage.engine.stop());
    const probe = await stage.engine.open("probe", { recordingFile: null });
    const taken = await Bun.udpSocket({ hostname: LOOPBACK, port: probe.localPort + 3 }); // the next pair's RTCP port
    closers.push(() => taken.close());
    const second = await stage.engine.open("second", { recordingFile: null });
    expect(second.localPort).toBe(probe.localPort + 4);
    await expect(stage.engine.open("third", { recordingFile: null })).rejects.toThrow("widen the range");
    await probe.close();
    await expect(stage.engine.open("too soon", { recordingFile: null })).rejects.toThrow("widen the range");
    await stage.clock.advance(10_000);
    expect((await stage.engine.open("rested", { recordingFile: null })).localPort).toBe(probe.localPort);
  });

  test("closes everything when it stops, and takes no call afterwards", async () => {
    const stage = staged();
    const [a] = await talkingPair(stage);
    const ends: boolean[] = [];
    a.play(playableOf(voice(5)), (finished) => ends.push(finished));
    await stage.clock.advance(100);
    expect(stage.engine.streams).toBe(2);
    await stage.engine.stop();
    expect(stage.engine.streams).toBe(0);
    expect(ends).toEqual([false]);
    await expect(stage.engine.open("late", { recordingFile: null })).rejects.toThrow("stopped");
    a.play(playableOf(voice(1)), (finished) => ends.push(finished));
    expect(ends).toEqual([false, false]);
  });
});
