// The real speech worker, the real line worker, and the port between them.
import { afterAll, describe, expect, test } from "bun:test";
import { activeLevelDb } from "../../../src/audio/speech-level.ts";
import { decodeTable } from "../../../src/audio/g711.ts";
import { systemClock, type Clock } from "../../../src/core/clock.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import type { WorkerPort } from "../../../src/core/worker-port.ts";
import { createSpeechClient } from "../../../src/speech/tts/client.ts";
import type { Manner } from "../../../src/speech/tts/port.ts";
import { createMark } from "../../../src/speech/tts/pronunciation.ts";
import { HINDI_VOICES } from "../../../src/speech/tts/hindi/voices.ts";
import { VOICE_NAMES, type VoiceName } from "../../../src/speech/tts/voices.ts";
import type { FromSpeechWorker, ToSpeechWorker } from "../../../src/speech/tts/protocol.ts";
import { createSpeech } from "../../../src/speech/tts/speech.ts";
import type { FromWorker, ToWorker } from "../../../src/telephony/sip/carrier/protocol.ts";
import { startLineWorker, startSpeechWorker } from "../../../src/compose/threads/start.ts";
import { tempFolder } from "../../support/temp.ts";
import { until } from "../../support/until.ts";
import { BRIEF, callOrder } from "../../telephony/carrier-log.ts";
import { NUMBERS, startCarrier } from "../../telephony/sip/carrier/bench.ts";
import { afterwards, cleanUpAfterEach } from "../../telephony/sip/carrier/clean-up.ts";
import { peerThat } from "../../telephony/sip/carrier/phone-under-test.ts";
import { friendly, SDP } from "../../telephony/sip/transport/scripted-peer.ts";

cleanUpAfterEach();

const peakOf = (samples: Int16Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

/** A worker is slow on a busy machine; client.test.ts covers the timeout. */
const patient: Clock = { ...systemClock, after: (delayMs, callback) => systemClock.after(delayMs * 20, callback) };
const started: WorkerPort<ToSpeechWorker, FromSpeechWorker>[] = [];
const speech = createSpeech({
  clock: systemClock,
  logger: silentLogger,
  startWorker() {
    const worker = startSpeechWorker("voice");
    started.push(worker);
    return worker;
  },
});
const client = createSpeechClient({ clock: patient });
speech.serve(client.connect);
afterAll(() => speech.stop());

const EN: Manner = { language: "en-IN", voice: "heart", mark: createMark([]) };

async function samplesOf(text: string, voice: VoiceName = "heart"): Promise<Int16Array> {
  const sound = await client.speak(text, { ...EN, voice });
  if (!sound?.samples) throw new Error("The voice said nothing.");
  return sound.samples;
}

describe("the real voice", () => {
  test("speaks a sentence at 8 kHz, at the pace and the level of a person on the telephone", async () => {
    const samples = await samplesOf("Your appointment is on Tuesday, the fifth of May, at ten thirty in the morning.");
    const seconds = samples.length / 8_000;
    expect(seconds).toBeGreaterThan(3.5);
    expect(seconds).toBeLessThan(7);
    expect(activeLevelDb(samples)).toBeWithin(-22, -18);
    expect(peakOf(samples)).toBeLessThan(30_000);
  });

  test("has four voices that differ, all at one level", async () => {
    // In sequence: on a busy machine the voice would not finish all within 5 s.
    const spoken: Int16Array[] = [];
    for (const voice of VOICE_NAMES) spoken.push(await samplesOf("Can you still come on Friday?", voice));
    for (const samples of spoken) expect(activeLevelDb(samples)).toBeWithin(-22.5, -17.5);
    expect(new Set(spoken.map((samples) => Bun.hash(samples))).size).toBe(VOICE_NAMES.length);
  });

  test("speaks Hindi in four voices that differ, at the level of the others and the pace of a person", async () => {
    const spoken: Int16Array[] = [];
    for (const voice of HINDI_VOICES) {
      const sound = await client.speak("नमस्ते रमेश जी, कल सुबह साढ़े दस बजे आपका अपॉइंटमेंट है।", {
        ...EN,
        language: "hi",
        voice: voice.slice("hi-".length),
      });
      spoken.push(sound?.samples ?? new Int16Array());
    }
    for (const samples of spoken) {
      expect(samples.length / 8_000).toBeWithin(3, 7.5);
      expect(activeLevelDb(samples)).toBeWithin(-22.5, -17.5);
    }
    expect(new Set(spoken.map((samples) => Bun.hash(samples))).size).toBe(HINDI_VOICES.length);
  });

  test("speaks more slowly where it is asked to, as loud as before", async () => {
    const text = "Your appointment is on Tuesday, the fifth of May.";
    const usual = await samplesOf(text);
    const slow = (await client.speak(text, { ...EN, pace: "slow" }))?.samples ?? new Int16Array();
    expect(slow.length / usual.length).toBeWithin(1.08, 1.3);
    expect(activeLevelDb(slow)).toBeWithin(-22, -18);
  });

  test("is silent in its pauses, and not only faint", async () => {
    const samples = await samplesOf("Thank you.");
    expect(samples.subarray(-0.2 * 8_000).every((sample) => sample === 0)).toBe(true);
  });

  test("begins within 40 ms and holds no long silence", async () => {
    const samples = await samplesOf("Press 1 to confirm. Press 2 for another time.");
    const loud = [...samples.keys()].filter((at) => Math.abs(samples[at] ?? 0) > 330);
    expect(loud[0]).toBeLessThan(0.04 * 8_000);
    const gaps = loud.slice(1).map((at, i) => at - (loud[i] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(0.6 * 8_000);
  });

  test("says the same text in the same samples, each in a buffer of its own", async () => {
    const [first, second] = await Promise.all([samplesOf("Goodbye."), samplesOf("Goodbye.")]);
    const third = await samplesOf("Goodbye.");
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    expect(new Set([first.buffer, second.buffer, third.buffer]).size).toBe(3);
  });

  test("rejects unreadable text and continues", async () => {
    expect(await client.speak("नमस्ते", EN)).toBeNull();
    expect(await samplesOf("Hello.")).not.toHaveLength(0);
  });

  test("killed in the middle of a sentence, its replacement serves pending requests", async () => {
    const before = started.length;
    const waits = samplesOf("This is the sentence that is under way when the worker ends.");
    started.at(-1)!.terminate();
    expect((await waits).length).toBeGreaterThan(8_000);
    expect(started).toHaveLength(before + 1);
    expect((await samplesOf("Here I am again.")).length).toBeGreaterThan(4_000);
  });
});

/** A telephone that answers every call and measures the level. */
async function startPhone() {
  const linear = decodeTable("PCMA");
  let loudest = 0;
  const rtp = await Bun.udpSocket({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(_, packet) {
        // The first twelve bytes are the RTP header.
        for (const byte of packet.subarray(12)) loudest = Math.max(loudest, Math.abs(linear[byte] ?? 0));
      },
    },
  });
  afterwards(() => rtp.close());
  const sdp = SDP.replace(/m=audio \d+/, `m=audio ${rtp.port}`);
  const peer = await peerThat((request, contact) => friendly(request, contact, sdp));
  return { port: peer.port, loudest: () => loudest };
}

/** Whether a message contains audio, as it would after crossing threads. */
const holdsSound = (value: unknown): boolean =>
  ArrayBuffer.isView(value) ||
  value instanceof ArrayBuffer ||
  (typeof value === "object" && value !== null && Object.values(value).some(holdsSound));

test("a caller hears the real voice, and its sound never passes the main thread", async () => {
  const phone = await startPhone();
  const crossed: (ToWorker | FromWorker)[] = [];
  const run = startCarrier(phone.port, {
    startWorker() {
      const worker = startLineWorker();
      afterwards(speech.serve((port) => worker.post({ type: "speech", port }, [port])));
      return {
        ...worker,
        post: (message, transfer) => (crossed.push(message), worker.post(message, transfer)),
        onMessage: (listener) => worker.onMessage((message) => (crossed.push(message), listener(message))),
      };
    },
  });
  await run.opened();
  run.carrier.dial(
    callOrder({
      callId: "a",
      trunkId: "main",
      to: NUMBERS.talks,
      recordingFile: `${tempFolder()}/a.wav`,
      brief: BRIEF,
    }),
  );
  // The voice peaks at about −6 dBFS.
  await until(() => phone.loudest() > 10_000, { what: () => `${phone.loudest()}: ${run.log.of("a").join()}` });
  run.carrier.hangUp("a");
  await run.ended("a");
  // Without a recording mode nothing is recorded.
  expect(run.log.endOf("a")).toMatchObject({ kind: "completed", recorded: false });
  expect(crossed.map(({ type }) => type)).toContain("dial");
  expect(crossed.filter(holdsSound)).toEqual([]);
});
