// Calls in G.722: 16 kHz speech is heard at 16 kHz, 8 kHz speech without images above 4 kHz, and keys, recording, hold,
// encryption and codec changes work as in G.711.
import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createG722Encoder } from "../../../src/audio/g722.ts";
import { encodeG711 } from "../../../src/audio/g711.ts";
import type { AudioStream, RemoteMedia } from "../../../src/telephony/rtp/audio-stream.ts";
import { playableOf } from "../../../src/telephony/rtp/playable.ts";
import { writeRtpHeader } from "../../../src/telephony/rtp/rtp.ts";
import { correlate } from "../../support/correlate.ts";
import { randomFrom } from "../../support/sounds.ts";
import { tempFolder } from "../../support/temp.ts";
import { parseWav } from "../wav.ts";
import { drivenCall, sdpNaming } from "./driven-call.ts";
import { remoteAt, stageWith, talkingPair, type Stage } from "./stage.ts";

const G722 = { codec: "G722", payloadType: 9 } as const;
const PCMA = { codec: "PCMA", payloadType: 8 } as const;
const PEER = { address: "192.0.2.9", port: 5_000 };
const SSRC = 9;
/** The lower band comes 5.75 samples later than the sound, and no shift by whole samples makes up for the fraction. */
const NARROW = 0.95;

const stages: Stage[] = [];
afterEach(() => Promise.all(stages.splice(0).map(({ engine }) => engine.stop())));

function staged(): Stage {
  const stage = stageWith();
  stages.push(stage);
  return stage;
}

/** Both as one sound: a voice below 3 kHz, and at 16 kHz the hiss of its consonants between 5 and 6 kHz as well. */
function words(seconds: number, seed = 1): { narrow: Int16Array; wide: Int16Array } {
  const random = randomFrom(seed);
  const [pitch, glide] = [150 + 100 * random(), 1 + random()];
  const low = (at: number) => {
    let sum = 0;
    for (let harmonic = 1; harmonic <= 12; harmonic++)
      sum += Math.sin(2 * Math.PI * harmonic * pitch * (at + 0.01 * Math.sin(glide * at))) / Math.sqrt(harmonic);
    return 2_500 * sum * (0.5 + 0.5 * Math.sin(2 * Math.PI * 3 * glide * at));
  };
  const hiss = (at: number) =>
    1_500 * Math.sin(2 * Math.PI * (5_500 * at + 40 * Math.sin(7 * at))) * Math.max(0, Math.sin(11 * at));
  return {
    narrow: Int16Array.from({ length: seconds * 8_000 }, (_, i) => low(i / 8_000)),
    wide: Int16Array.from({ length: seconds * 16_000 }, (_, i) => low(i / 16_000) + hiss(i / 16_000)),
  };
}

function heardBy(stream: AudioStream): { narrow: number[]; wide: number[]; hasWide: boolean[] } {
  const heard = { narrow: [] as number[], wide: [] as number[], hasWide: [] as boolean[] };
  stream.onFrame((frame, _, wide) => {
    heard.narrow.push(...frame);
    heard.wide.push(...(wide ?? []));
    heard.hasWide.push(wide !== null);
  });
  return heard;
}

/** Power around a frequency, as a share of the whole, at 16 kHz. */
function shareAt(samples: readonly number[], hertz: number): number {
  let [re, im, power] = [0, 0, 0];
  for (const [i, sample] of samples.entries()) {
    const window = Math.sin((Math.PI * i) / samples.length) ** 2;
    re += window * sample * Math.cos((2 * Math.PI * hertz * i) / 16_000);
    im += window * sample * Math.sin((2 * Math.PI * hertz * i) / 16_000);
    power += (window * sample) ** 2;
  }
  return (2 * (re * re + im * im)) / (power * samples.length);
}

describe("sound in G.722", () => {
  test("goes both ways at 16 kHz, is there at 8 kHz too, and is in the recording", async () => {
    const stage = staged();
    const file = join(tempFolder(), "call.wav");
    const [a, b] = await talkingPair(stage, { changes: G722, files: [file, null] });
    const [heardByA, heardByB] = [heardBy(a), heardBy(b)];
    const [byA, byB] = [words(1, 1), words(1, 2)];
    const ends: string[] = [];
    a.play(playableOf(byA.narrow, byA.wide), (finished, playedMs) => ends.push(`a ${finished} ${playedMs}`));
    b.play(playableOf(byB.narrow, byB.wide), (finished, playedMs) => ends.push(`b ${finished} ${playedMs}`));
    await stage.clock.advance(1_500);

    expect(ends.toSorted()).toEqual(["a true 1000", "b true 1000"]);
    for (const [heard, said] of [
      [heardByB, byA],
      [heardByA, byB],
    ] as const) {
      expect(correlate(heard.wide, said.wide).correlation).toBeGreaterThan(0.98);
      expect(correlate(heard.narrow, said.narrow).correlation).toBeGreaterThan(NARROW);
    }
    expect(a.stats()).toMatchObject({ codec: "G722", lostPackets: 0, gaps: 0, ignoredPackets: 0 });
    await a.close();
    const [agent, caller] = parseWav(readFileSync(file)).channels;
    expect(correlate(agent, byA.narrow).correlation).toBeGreaterThan(NARROW);
    expect(correlate(caller, byB.narrow).correlation).toBeGreaterThan(NARROW);
  });

  test("of a sound that there is only at 8 kHz has no image above 4 kHz", async () => {
    const stage = staged();
    const [a, b] = await talkingPair(stage, { changes: G722 });
    const heard = heardBy(b);
    const tone = Int16Array.from({ length: 8_000 }, (_, i) => 10_000 * Math.sin((2 * Math.PI * 3_000 * i) / 8_000));
    a.play(playableOf(tone), () => {});
    await stage.clock.advance(1_500);
    const inside = heard.wide.slice(4_800, 12_800);
    expect(shareAt(inside, 3_000)).toBeGreaterThan(0.5);
    expect(10 * Math.log10(shareAt(inside, 5_000) / shareAt(inside, 3_000))).toBeLessThan(-40);
  });

  test("stops within 40 ms, and the next sound follows", async () => {
    const stage = staged();
    const [a, b] = await talkingPair(stage, { changes: G722 });
    const heard = heardBy(b);
    const [first, second] = [words(5, 1), words(1, 2)];
    const told: boolean[] = [];
    a.play(playableOf(first.narrow, first.wide), (finished) => told.push(finished));
    await stage.clock.advance(1_000);
    a.stopPlaying();
    a.play(playableOf(second.narrow, second.wide), (finished) => told.push(finished));
    await stage.clock.advance(2_000);
    expect(told).toEqual([false, true]);
    expect(correlate(heard.wide, second.wide).correlation).toBeGreaterThan(0.98);
  });
});

describe("in a wideband call", () => {
  test("keys are heard as events and, where the peer knows none, as tones", async () => {
    for (const dtmfPayloadType of [101, null]) {
      const stage = staged();
      const [a, b] = await talkingPair(stage, { changes: { ...G722, dtmfPayloadType } });
      let keys = "";
      b.onDtmf((digit) => (keys += digit));
      const said = words(1);
      const heard = heardBy(b);
      a.sendDtmf("159#");
      a.play(playableOf(said.narrow, said.wide), () => {});
      await stage.clock.advance(3_000);
      expect(keys).toBe("159#");
      expect(correlate(heard.wide, said.wide).correlation).toBeGreaterThan(0.98);
    }
  });

  test("packets are encrypted, and the recording is not", async () => {
    const stage = staged();
    const file = join(tempFolder(), "call.wav");
    const [keyA, keyB] = [Buffer.alloc(30, 1).toString("base64"), Buffer.alloc(30, 2).toString("base64")];
    const suite = "AES_CM_128_HMAC_SHA1_80";
    const a = await stage.engine.open("call_a", { recordingFile: file });
    const b = await stage.engine.open("call_b", { recordingFile: null });
    a.negotiated(remoteAt(b.localPort, { ...G722, keys: { suite, ours: keyA, theirs: keyB } }));
    b.negotiated(remoteAt(a.localPort, { ...G722, keys: { suite, ours: keyB, theirs: keyA } }));
    a.answered();
    a.record(true);
    const [heard, said] = [heardBy(b), words(1)];
    a.play(playableOf(said.narrow, said.wide), () => {});
    await stage.clock.advance(1_500);
    expect(correlate(heard.wide, said.wide).correlation).toBeGreaterThan(0.98);
    expect(a.stats()).toMatchObject({ codec: "G722", encryption: { suite, isWhole: true } });
    await a.close();
    expect(correlate(parseWav(readFileSync(file)).channels[0], said.narrow).correlation).toBeGreaterThan(NARROW);
  });

  test("nothing is sent while we are held, and the sound goes on afterwards", async () => {
    const stage = staged();
    const [a, b] = await talkingPair(stage, { changes: G722 });
    const [heard, said] = [heardBy(b), words(1)];
    await stage.clock.advance(200);
    const before = a.stats().sentPackets;
    a.negotiated(remoteAt(b.localPort, { ...G722, direction: "sendonly" }));
    a.play(playableOf(said.narrow, said.wide), () => {});
    await stage.clock.advance(3_000);
    expect(a.stats().sentPackets).toBe(before);
    a.negotiated(remoteAt(b.localPort, G722));
    await stage.clock.advance(1_500);
    expect(correlate(heard.wide, said.wide).correlation).toBeGreaterThan(0.98);
  });

  test("the codec may change in mid-word, to G.711 and back", async () => {
    const stage = staged();
    const file = join(tempFolder(), "call.wav");
    const [a, b] = await talkingPair(stage, { changes: G722, files: [file, null] });
    const [heard, said] = [heardBy(b), words(3)];
    let playedMs = 0;
    a.play(playableOf(said.narrow, said.wide), (_, ms) => (playedMs = ms));
    const both = (changes: Partial<RemoteMedia>) => {
      a.negotiated(remoteAt(b.localPort, changes));
      b.negotiated(remoteAt(a.localPort, changes));
    };
    await stage.clock.advance(1_000);
    both(PCMA);
    await stage.clock.advance(1_000);
    expect(a.stats().codec).toBe("PCMA");
    both(G722);
    await stage.clock.advance(1_500);
    expect(playedMs).toBe(3_000);
    expect(a.stats().codec).toBe("G722");
    expect(new Set(heard.hasWide.slice(60, 95))).toEqual(new Set([false]));
    expect(new Set(heard.hasWide.slice(105))).toEqual(new Set([true]));
    await a.close();
    const [agent] = parseWav(readFileSync(file)).channels;
    // Each third where it was said: at the changes a jitter buffer's worth is lost.
    for (const from of [0, 1.2, 2.2]) {
      const piece = said.narrow.subarray(from * 8_000, (from + 0.7) * 8_000);
      expect(correlate(agent, piece).correlation).toBeGreaterThan(NARROW);
      expect(correlate(heard.narrow, piece).correlation).toBeGreaterThan(NARROW);
    }
  });
});

/** Packets of 20 ms that a peer sends, in G.722 or A-law. */
function packetsOf(said: { narrow: Int16Array; wide: Int16Array }, payloadTypeAt: (packet: number) => number) {
  const encoder = createG722Encoder();
  return Array.from({ length: said.narrow.length / 160 }, (_, i) => {
    const bytes = new Uint8Array(172);
    const isWide = payloadTypeAt(i) === 9;
    if (isWide) encoder.encode(said.wide.subarray(i * 320, i * 320 + 320), bytes.subarray(12));
    else bytes.set(encodeG711(said.narrow.subarray(i * 160, i * 160 + 160), "PCMA"), 12);
    writeRtpHeader(bytes, payloadTypeAt(i), i === 0, i, i * 160, SSRC);
    return bytes;
  });
}

function hearing(packets: readonly (Uint8Array | null)[], changes: Partial<RemoteMedia> = G722) {
  const call = drivenCall();
  call.stream.negotiated(sdpNaming(PEER, changes));
  call.stream.answered();
  const heard = heardBy(call.stream);
  for (const packet of [...packets, ...Array.from({ length: 8 }, () => null)]) {
    if (packet) call.rtp(PEER, packet);
    call.tick();
  }
  return { heard, call };
}

describe("a peer that speaks G.722", () => {
  test("and loses one packet in twenty is understood all the same: what is missing is made up, and the decoder finds its way back at once", () => {
    const said = words(4);
    const packets = packetsOf(said, () => 9).map((packet, i) => (i % 20 === 7 ? null : packet));
    const { heard, call } = hearing(packets);
    expect(correlate(heard.wide, said.wide).correlation).toBeGreaterThan(0.97);
    const loudest = Math.max(...heard.wide.map(Math.abs));
    expect(loudest).toBeLessThan(1.3 * Math.max(...said.wide.map(Math.abs)));
    expect(call.stream.stats().lostPackets).toBe(10);
  });

  test("in packets of 30 ms, of which one is lost, is mended where it is missing and nowhere else", () => {
    const said = words(2);
    const encoder = createG722Encoder();
    const call = drivenCall();
    call.stream.negotiated(sdpNaming(PEER, G722));
    const heard = heardBy(call.stream);
    for (let i = 0; i < 60; i++) {
      const bytes = new Uint8Array(252);
      encoder.encode(said.wide.subarray(i * 480, i * 480 + 480), bytes.subarray(12));
      writeRtpHeader(bytes, 9, i === 0, i, i * 240, SSRC);
      if (i !== 25) call.rtp(PEER, bytes);
      call.tick();
      if (i % 2 === 1) call.tick();
    }
    const [before, after] = [said.wide.subarray(0, 11_000), said.wide.subarray(14_000, 26_000)];
    expect(correlate(heard.wide, before).correlation).toBeGreaterThan(0.98);
    expect(correlate(heard.wide, after).correlation).toBeGreaterThan(0.98);
    expect(correlate(heard.wide, said.wide.subarray(0, 26_000)).correlation).toBeGreaterThan(0.96);
  });

  test("and changes to G.711 and back without a word is understood in both", () => {
    const said = words(3);
    const { heard, call } = hearing(packetsOf(said, (i) => (i >= 50 && i < 100 ? 8 : 9)));
    for (const from of [0, 1.2, 2.2]) {
      const piece = said.narrow.subarray(from * 8_000, (from + 0.7) * 8_000);
      expect(correlate(heard.narrow, piece).correlation).toBeGreaterThan(NARROW);
    }
    expect(call.stream.stats().ignoredPackets).toBe(0);
  });

  test("with a number of its own for it is understood", () => {
    const said = words(1);
    const packets = packetsOf(said, () => 9);
    for (const packet of packets) packet[1] = (packet[1]! & 0x80) | 97;
    const { heard } = hearing(packets, { codec: "G722", payloadType: 97 });
    expect(correlate(heard.wide, said.wide).correlation).toBeGreaterThan(0.98);
  });
});
