// Real threads: a sentence through detector, recogniser and spotter, and again after each was killed.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { bringPack } from "../../scripts/bring-packs.ts";
import { systemClock, type Clock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { createRecognisers } from "../../src/speech/asr/recognisers.ts";
import { createEars } from "../../src/speech/ears/ears.ts";
import { createHearing, type Hearing } from "../../src/speech/hearing.ts";
import { availablePacks } from "../../src/speech/packs/packs.ts";
import { createSpotters } from "../../src/speech/spotter/spotters.ts";
import type { SpeechRole } from "../../src/speech/tts/protocol.ts";
import { startSpeechWorker } from "../../src/compose/threads/start.ts";
import { until } from "../support/until.ts";
import { amidSilence, framesOf, plain, spoken } from "./spoken.ts";

/** Recognition is slow on a busy machine; recognisers.test.ts covers the timeout. */
const patient: Clock = { ...systemClock, after: (delayMs, callback) => systemClock.after(delayMs * 20, callback) };
const started: { role: SpeechRole; terminate: () => void }[] = [];
const recognisers = createRecognisers({ clock: patient });
const spotters = createSpotters({ clock: patient });
const client = createEars({ clock: systemClock, recognisers, spotters });
let hearing: Hearing;
beforeAll(async () => {
  await bringPack("phrase-spotter");
  hearing = createHearing({
    clock: systemClock,
    logger: silentLogger,
    recognisers: 1,
    cores: 2,
    reason: null,
    spotters: 1,
    startWorker(role) {
      const worker = startSpeechWorker(role, { added: null, packs: availablePacks("") });
      started.push({ role, terminate: worker.terminate });
      return worker;
    },
  });
  hearing.serve((way) => {
    if (way.type === "ear") client.connect(way.port);
    else (way.type === "recogniser" ? recognisers : spotters).connect(way.index, way.port);
  });
  hearing.start();
}, 800_000);
afterAll(() => hearing.stop());

const isListening = () => hearing.status().state === "listening";
const kill = (role: SpeechRole) => started.findLast((worker) => worker.role === role)!.terminate();
const startedOf = (role: SpeechRole) => started.filter((worker) => worker.role === role).length;

/** An ear that got the whole sentence, frame by frame at the detector's pace. */
async function earAfter(samples: Int16Array) {
  let judgedMs = 0;
  let heardMs = 0;
  let isLost = false;
  const alarms: string[] = [];
  const ear = client.ears()!.open({
    voice: (_, atMs) => void (judgedMs = atMs),
    alarm: (phrases) => void alarms.push(...phrases),
    lost: () => void (isLost = true),
  });
  for (const frame of framesOf(samples)) {
    ear.hear(frame);
    heardMs += 20;
    await until(() => isLost || heardMs - judgedMs < 500);
  }
  await until(() => isLost || heardMs - judgedMs < 32);
  return { ear, heardMs, alarms, isLost: () => isLost };
}

async function heardWords(): Promise<string | undefined> {
  const { ear, heardMs } = await earAfter(amidSilence(await spoken("yes-i-will-be-there"), 320, 480));
  const result = await ear.recognise(0, heardMs);
  ear.close();
  return result?.text;
}

test("a sentence is recognised, and again after each thread was killed", async () => {
  await until(isListening, { withinMs: 240_000 });
  expect(plain((await heardWords()) ?? "")).toBe("yes i will be there");

  const { ear, isLost } = await earAfter(new Int16Array(4_800));
  kill("ear");
  await until(() => startedOf("ear") === 2 && isListening(), { withinMs: 240_000 });
  await until(isLost);
  ear.close();
  expect(plain((await heardWords()) ?? "")).toBe("yes i will be there");

  kill("recogniser");
  await until(() => startedOf("recogniser") === 2 && isListening(), { withinMs: 240_000 });
  expect(plain((await heardWords()) ?? "")).toBe("yes i will be there");
}, 800_000);

/** With the words or after them. */
async function heardAlarms(): Promise<readonly string[]> {
  const { ear, heardMs, alarms } = await earAfter(amidSilence(await spoken("i-have-chest-pain"), 320, 480));
  const words = await ear.recognise(0, heardMs);
  alarms.push(...(words?.alarms ?? []));
  await until(() => alarms.length > 0, { withinMs: 120_000 });
  ear.close();
  return alarms;
}

test("an alarm garbled by the recogniser is spotted, and again after the spotter was killed", async () => {
  await until(() => isListening() && hearing.status().spotters === 1, { withinMs: 240_000 });
  expect(await heardAlarms()).toEqual(["chest pain"]);
  kill("spotter");
  expect(plain((await heardWords()) ?? "")).toBe("yes i will be there");
  expect(isListening()).toBe(true);
  await until(() => startedOf("spotter") === 2 && hearing.status().spotters === 1, { withinMs: 240_000 });
  expect(await heardAlarms()).toEqual(["chest pain"]);
}, 800_000);
