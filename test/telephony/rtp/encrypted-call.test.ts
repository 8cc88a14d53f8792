// An SRTP call: both sides hear each other, the recording contains the words, the packets do not, and packets without
// the key are dropped, whatever their source address.
import { afterEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeTable } from "../../../src/audio/g711.ts";
import { createSrtpSender } from "../../../src/telephony/rtp/srtp.ts";
import { SRTP_SUITES } from "../../../src/telephony/rtp/srtp-keys.ts";
import type { ProtectionKeys } from "../../../src/telephony/rtp/protection.ts";
import { playableOf } from "../../../src/telephony/rtp/playable.ts";
import { tempFolder } from "../../support/temp.ts";
import { parseWav } from "../wav.ts";
import { audioOf, drivenCall, keyOf, reportOf, sdpNaming } from "./driven-call.ts";
import { correlate, heardBy, LOOPBACK, remoteAt, stageWith, voice } from "./stage.ts";

const KEY_A = Buffer.alloc(30, 1).toString("base64");
const KEY_B = Buffer.alloc(30, 2).toString("base64");
const KEY_C = Buffer.alloc(30, 3).toString("base64");
const PEER = { address: "192.0.2.9", port: 5_000 };

const stages: ReturnType<typeof stageWith>[] = [];
afterEach(() => Promise.all(stages.splice(0).map(({ engine }) => engine.stop())));

test.each(SRTP_SUITES)("both hear each other, it is recorded in clear, and the wire shows noise: %s", async (suite) => {
  const stage = stageWith();
  stages.push(stage);
  const file = join(tempFolder(), "call.wav");
  const wire: { type: number; bytes: number; payload: number[] }[] = [];
  const tap = (_: string, bytes: Uint8Array) =>
    void wire.push({ type: bytes[1]! & 0x7f, bytes: bytes.length, payload: [...bytes.subarray(12, 172)] });
  const a = await stage.engine.open("call_a", { recordingFile: file, tap });
  const b = await stage.engine.open("call_b", { recordingFile: null });
  a.negotiated(remoteAt(b.localPort, { keys: { suite, ours: KEY_A, theirs: KEY_B } }));
  b.negotiated(remoteAt(a.localPort, { keys: { suite, ours: KEY_B, theirs: KEY_A } }));
  a.answered();
  b.answered();
  a.record(true);
  const heard = heardBy(b);
  const digits: string[] = [];
  b.onDtmf((digit) => digits.push(digit));
  const said = voice(1);
  a.play(playableOf(said), () => undefined);
  b.play(playableOf(voice(1, 2)), () => undefined);
  await stage.clock.advance(1_800);
  a.sendDtmf("5");
  await stage.clock.advance(11_000);
  expect(correlate(heard.samples, said).correlation).toBeGreaterThan(0.99);
  expect(digits).toEqual(["5"]);
  expect(a.stats()).toMatchObject({ encryption: { suite, isWhole: true }, ignoredPackets: 0 });
  // The reports came through as well: they are how the round trip is known.
  expect(a.stats().roundTripMs).not.toBeNull();
  const { recorded } = await a.close();
  expect(recorded).toBeTrue();
  const [agent, caller] = parseWav(readFileSync(file)).channels;
  expect(correlate(agent, said).correlation).toBeGreaterThan(0.99);
  expect(correlate(caller, voice(1, 2)).correlation).toBeGreaterThan(0.99);
  const audio = wire.filter(({ type }) => type === 0);
  expect(new Set(audio.map(({ bytes }) => bytes))).toEqual(new Set([suite.endsWith("80") ? 182 : 176]));
  // Silence in clear is one value 160 times; encrypted it is anything.
  expect(Math.min(...audio.map(({ payload }) => new Set(payload).size))).toBeGreaterThan(60);
});

function sealed(bytes: Uint8Array, sender: ReturnType<typeof createSrtpSender>): Uint8Array {
  const room = new Uint8Array(bytes.length + 10);
  room.set(bytes);
  return room.slice(0, sender.protectRtp(room, bytes.length));
}

const senderOf = (key: string) => createSrtpSender("AES_CM_128_HMAC_SHA1_80", Buffer.from(key, "base64"));
const keysWith = (theirs: string): ProtectionKeys => ({ suite: "AES_CM_128_HMAC_SHA1_80", ours: KEY_A, theirs });

test("packets with the peer's forged address are not heard, press no key, and end no call", () => {
  const call = drivenCall();
  const peer = senderOf(KEY_B);
  const stranger = senderOf(KEY_C);
  call.stream.negotiated(sdpNaming(PEER, { keys: keysWith(KEY_B) }));
  call.stream.answered();
  const played: Uint8Array[] = [];
  for (let i = 0; i < 300; i++) {
    // Before the peer's first packet, between its packets, in its silence: in clear, with another key, and as a replay.
    call.rtp(PEER, audioOf(0x11, 9, i));
    call.rtp(PEER, sealed(audioOf(0x11, 9, i), stranger));
    call.rtp(PEER, audioOf(0x11, 8, i));
    call.rtp(PEER, keyOf(1, 8, i));
    call.rtp(PEER, sealed(keyOf(1, 8, i), stranger));
    call.rtcp({ ...PEER, port: PEER.port + 1 }, reportOf(8, true));
    if (i >= 20 && i < 100) {
      const packet = sealed(audioOf(0x33, 8, i), peer);
      played.push(packet.slice());
      call.rtp(PEER, packet);
    }
    if (i >= 100) call.rtp(PEER, played[i % played.length]!.slice());
    call.tick();
  }
  expect(call.keys).toEqual([]);
  expect(call.heard).not.toContain(decodeTable("PCMU")[0x11]!);
  expect(call.heard).toContain(decodeTable("PCMU")[0x33]!);
  const stats = call.stream.stats();
  expect(stats.receivedPackets).toBe(80);
  expect(stats.remoteLossShare).toBeNull();
});

test("a new key in the middle of a call: what is on the way with the old one is still heard, until the new one came", () => {
  const call = drivenCall();
  const [old, renewed] = [senderOf(KEY_B), senderOf(KEY_C)];
  call.stream.negotiated(sdpNaming(PEER, { keys: keysWith(KEY_B) }));
  call.stream.answered();
  for (let i = 0; i < 10; i++) call.rtp(PEER, sealed(audioOf(0x33, 8, i), old));
  call.stream.negotiated(sdpNaming(PEER, { keys: keysWith(KEY_C) }));
  call.rtp(PEER, sealed(audioOf(0x33, 8, 10), old));
  call.rtp(PEER, sealed(audioOf(0x33, 8, 11), renewed));
  expect(call.stream.stats().receivedPackets).toBe(12);
  call.rtp(PEER, sealed(audioOf(0x33, 8, 12), old));
  expect(call.stream.stats().receivedPackets).toBe(12);
  expect(call.stream.stats()).toMatchObject({ ignoredPackets: 1, encryption: { isWhole: true } });
});

test("a call that was in clear for a while says so", () => {
  const call = drivenCall();
  call.stream.negotiated(sdpNaming(PEER));
  expect(call.stream.stats().encryption).toBeNull();
  call.stream.negotiated(sdpNaming(PEER, { keys: keysWith(KEY_B) }));
  expect(call.stream.stats().encryption).toMatchObject({ isWhole: false });
});

test("from elsewhere nothing is even decrypted", () => {
  const call = drivenCall();
  call.stream.negotiated(sdpNaming(PEER, { keys: keysWith(KEY_B) }));
  const packet = sealed(audioOf(0x33, 8, 1), senderOf(KEY_B));
  const before = packet.slice();
  call.rtp({ address: LOOPBACK, port: 9 }, packet);
  expect(packet).toEqual(before);
  expect(call.stream.stats()).toMatchObject({ ignoredPackets: 1, receivedPackets: 0 });
});
