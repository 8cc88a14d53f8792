// Interoperability of SIP and RTP with baresip: the audio of each side arrives complete at the other.
import { afterEach, expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { silentLogger } from "../../../src/core/logger.ts";
import { createMediaEngine, type MediaEngine } from "../../../src/telephony/rtp/engine.ts";
import type { AudioStream } from "../../../src/telephony/rtp/audio-stream.ts";
import { playableOf } from "../../../src/telephony/rtp/playable.ts";
import { putPhonesAway, startPhone, testWithPhone as test, type PhoneOptions } from "../../support/baresip.ts";
import { heardShare, WELL_HEARD } from "../../support/correlate.ts";
import { audioPorts } from "../../support/free-ports.ts";
import { saidOver, speechLike } from "../../support/sounds.ts";
import { tempFolder } from "../../support/temp.ts";
import { until } from "../../support/until.ts";
import { parseWav } from "../wav.ts";
import type { MediaPort } from "../../../src/telephony/sip/call/user-agent-port.ts";
import { startAgent, stopAgentsAfterEach, trunkAt } from "./call/agent-under-test.ts";

putPhonesAway();
stopAgentsAfterEach();

const NUMBER = "+919800000001";
const OUR_WORDS = speechLike(1, 1);
const THEIR_WORDS = speechLike(1, 2);
/** Both have said their words three times over by then, at 50 packets a second. */
const SAID_PACKETS = 175;

const engines: MediaEngine[] = [];
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.stop()));
});

/** A telephone, and a user agent of ours whose one call has media and plays our words at the answer. */
async function talkTo(options: Partial<PhoneOptions> = {}) {
  const phone = await startPhone({ number: NUMBER, says: THEIR_WORDS, ...options });
  const engine = createMediaEngine({ logger: silentLogger, bindAddress: "127.0.0.1", portRange: audioPorts(10) });
  engines.push(engine);
  const recordingFile = join(tempFolder(), "call.wav");
  const stream = await engine.open("call_1", { recordingFile });
  const keys: string[] = [];
  stream.onDtmf((key) => keys.push(key));
  const codecs: string[] = [];
  const media: MediaPort = {
    localAddress: stream.localAddress,
    localPort: stream.localPort,
    negotiated(remote) {
      codecs.push(`${remote.codec} ${remote.direction}`);
      stream.negotiated(remote);
    },
  };
  const run = await startAgent([trunkAt(phone.port)], { makeMedia: () => media });
  return { phone, stream, keys, codecs, run, recordingFile };
}

const begin = (stream: AudioStream, onEnd: () => void = () => {}) => {
  stream.answered();
  stream.record(true);
  stream.play(playableOf(saidOver(OUR_WORDS)), onEnd);
};

/** Agent left, caller right. */
async function recorded(stream: AudioStream, file: string): Promise<[Int16Array, Int16Array]> {
  expect((await stream.close()).recorded).toBe(true);
  return parseWav(readFileSync(file)).channels;
}

test.each(["PCMA", "PCMU"] as const)(
  "a call to it over %s: both sides hear each other, and both are in the recording",
  async (codec) => {
    const { phone, stream, codecs, run, recordingFile } = await talkTo({ codec });
    run.invite();
    await run.heard("call_1 answered");
    begin(stream);
    await until(() => stream.stats().receivedPackets > SAID_PACKETS);
    run.agent.hangUp("call_1");
    await run.ended();
    await phone.told("CALL_CLOSED");
    const stats = stream.stats();
    const [agent, caller] = await recorded(stream, recordingFile);

    expect(heardShare(phone.heard(), OUR_WORDS)).toBeGreaterThan(WELL_HEARD);
    expect(heardShare(caller, THEIR_WORDS)).toBeGreaterThan(WELL_HEARD);
    expect(heardShare(agent, OUR_WORDS)).toBeGreaterThan(WELL_HEARD);
    expect(stats).toMatchObject({ oneWayAudio: false });
    expect(codecs).toEqual([`${codec} sendrecv`]);
  },
  180_000,
);

test("it calls us: the same, the other way round, and its keys are told once each", async () => {
  const { phone, stream, keys, run, recordingFile } = await talkTo();
  await phone.dial(`sip:+911140000000@127.0.0.1:${run.agent.port}`);
  await until(() => run.inbound.length === 1);
  const [{ callId, ...call }] = run.inbound as [(typeof run.inbound)[number]];
  expect(call).toEqual({ trunkId: "main", from: NUMBER, to: "+911140000000", isToAccount: false });
  run.agent.answerInbound(callId, ["PCMA", "PCMU"]);
  await run.heard(`${callId} answered`);
  begin(stream);
  await until(() => stream.stats().receivedPackets > SAID_PACKETS);
  // After the words: while a key is down, no voice is sent.
  await phone.press("159#");
  await until(() => keys.length >= 4);
  await phone.hangUp();
  expect(await run.ended(callId)).toMatchObject({ by: "peer", outcome: null });
  const [, caller] = await recorded(stream, recordingFile);
  expect(keys).toEqual(["1", "5", "9", "#"]);
  expect(heardShare(phone.heard(), OUR_WORDS)).toBeGreaterThan(WELL_HEARD);
  expect(heardShare(caller, THEIR_WORDS)).toBeGreaterThan(WELL_HEARD);
}, 180_000);

test("it puts us on hold and takes us back: we send nothing meanwhile, and what waited is sent", async () => {
  const { phone, stream, codecs, run } = await talkTo();
  run.invite();
  await run.heard("call_1 answered");
  stream.answered();
  stream.record(true);
  await phone.hold();
  await until(() => codecs.length === 2);
  const sentAtHold = stream.stats().sentPackets;
  let isSaid = false;
  stream.play(playableOf(OUR_WORDS), () => (isSaid = true));
  // A frame is due every 20 ms, with or without speech.
  let framesDue = 0;
  stream.onFrame(() => framesDue++);
  await until(() => framesDue >= 15);
  expect(stream.stats().sentPackets).toBe(sentAtHold);
  await phone.resume();
  await until(() => isSaid);
  // Shown on our side alone: baresip's file of what it heard stays empty after a hold, and why was not found out.
  expect(stream.stats().sentPackets - sentAtHold).toBeGreaterThanOrEqual(OUR_WORDS.length / 160);
  expect(codecs.map((codec) => codec.split(" ")[1])).toEqual(["sendrecv", "sendonly", "sendrecv"]);
  await phone.hangUp();
  expect(await run.ended()).toMatchObject({ by: "peer", outcome: null });
}, 180_000);

test("we send it on to a second telephone, which answers, or which is busy", async () => {
  for (const [answers, state] of [
    ["auto", "answered"],
    ["manual", "refused"],
  ] as const) {
    const { phone, run } = await talkTo();
    const operator = await startPhone({ number: "operator", answers });
    run.invite();
    await run.heard("call_1 answered");
    run.agent.refer("call_1", operator.uri);
    if (answers === "manual") {
      await operator.told("CALL_INCOMING");
      await operator.hangUp();
    }
    await until(() => run.transfers.some((progress) => ["answered", "refused"].includes(progress.state)));
    expect(run.transfers.at(-1)).toMatchObject({ state });
    run.agent.hangUp("call_1");
    await run.ended();
    await Promise.all([phone.stop(), operator.stop()]);
  }
}, 180_000);

test("it rings, and does not want to talk to us", async () => {
  const { phone, run } = await talkTo({ answers: "manual" });
  run.invite();
  await run.heard("call_1 ringing");
  await phone.hangUp();
  expect(await run.ended()).toMatchObject({ by: "peer", outcome: "busy", sipCode: 486 });
});
