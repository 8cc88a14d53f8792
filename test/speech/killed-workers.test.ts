// The real threads: a sentence through ear and recogniser, and again after each of them was killed.
import { afterAll, expect, test } from "bun:test";
import { systemClock, type Clock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { createRecognisers } from "../../src/speech/asr/recognisers.ts";
import { createEars } from "../../src/speech/ears/ears.ts";
import { createHearing } from "../../src/speech/hearing.ts";
import type { SpeechRole } from "../../src/speech/tts/protocol.ts";
import { startSpeechWorker } from "../../src/workers.ts";
import { until } from "../support/until.ts";
import { amidSilence, framesOf, plain, spoken } from "./spoken.ts";

/** On a busy machine a recogniser takes its time; how long a caller waits is told in recognisers.test.ts. */
const patient: Clock = { ...systemClock, after: (delayMs, callback) => systemClock.after(delayMs * 20, callback) };
const started: { role: SpeechRole; terminate: () => void }[] = [];
const hearing = createHearing({
  clock: systemClock,
  logger: silentLogger,
  recognisers: 1,
  cores: 2,
  reason: null,
  startWorker(role) {
    const worker = startSpeechWorker(role);
    started.push({ role, terminate: worker.terminate });
    return worker;
  },
});
const recognisers = createRecognisers({ clock: patient });
const client = createEars({ clock: systemClock, recognisers });
hearing.serve((way) => (way.type === "ear" ? client.connect(way.port) : recognisers.connect(way.index, way.port)));
hearing.start();
afterAll(() => hearing.stop());

const isListening = () => hearing.status().state === "listening";
const kill = (role: SpeechRole) => started.findLast((worker) => worker.role === role)!.terminate();
const startedOf = (role: SpeechRole) => started.filter((worker) => worker.role === role).length;

/** An ear that has heard the whole sentence, a frame at a time as the detector keeps up. */
async function earAfter(samples: Int16Array) {
  let judgedMs = 0;
  let heardMs = 0;
  let isLost = false;
  const ear = client.ears()!.open({ voice: (_, atMs) => void (judgedMs = atMs), lost: () => void (isLost = true) });
  for (const frame of framesOf(samples)) {
    ear.hear(frame);
    heardMs += 20;
    await until(() => isLost || heardMs - judgedMs < 500);
  }
  await until(() => isLost || heardMs - judgedMs < 32);
  return { ear, heardMs, isLost: () => isLost };
}

async function heardWords(): Promise<string | undefined> {
  const { ear, heardMs } = await earAfter(amidSilence(await spoken("yes-i-will-be-there"), 320, 480));
  const result = await ear.recognise(0, heardMs);
  ear.close();
  return result?.text;
}

test("a sentence is heard, and again by the next threads after each of them was killed", async () => {
  await until(isListening, { withinMs: 60_000 });
  expect(plain((await heardWords()) ?? "")).toBe("yes i will be there");

  const { ear, isLost } = await earAfter(new Int16Array(4_800));
  kill("ear");
  await until(() => startedOf("ear") === 2 && isListening(), { withinMs: 60_000 });
  await until(isLost);
  ear.close();
  expect(plain((await heardWords()) ?? "")).toBe("yes i will be there");

  kill("recogniser");
  await until(() => startedOf("recogniser") === 2 && isListening(), { withinMs: 60_000 });
  expect(plain((await heardWords()) ?? "")).toBe("yes i will be there");
}, 240_000);
