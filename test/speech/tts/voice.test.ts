import { afterAll, describe, expect, test } from "bun:test";
import { systemClock } from "../../../src/core/clock.ts";
import { createLogger, silentLogger } from "../../../src/core/logger.ts";
import { startVoiceWorker } from "../../../src/speech-worker.ts";
import { createVoice } from "../../../src/speech/tts/voice.ts";
import type { FromVoiceWorker, ToVoiceWorker, VoiceWorker } from "../../../src/speech/tts/worker-port.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { rejectionOf } from "../../support/temp.ts";

const decibels = (share: number) => 20 * Math.log10(share);
const peakOf = (samples: Int16Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
const loudnessOf = (samples: Int16Array) =>
  decibels(Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length) / 32_768);

describe("the real voice", () => {
  const started: VoiceWorker[] = [];
  const voice = createVoice({
    clock: systemClock,
    logger: silentLogger,
    startWorker: () => {
      const worker = startVoiceWorker();
      started.push(worker);
      return worker;
    },
  });
  afterAll(() => voice.stop());

  test("speaks a sentence at 8 kHz, at the pace and the level of a person on the telephone", async () => {
    const samples = await voice.speak(
      "Your appointment is on Tuesday, the fifth of May, at ten thirty in the morning.",
    );
    const seconds = samples.length / 8_000;
    expect(seconds).toBeGreaterThan(3.5);
    expect(seconds).toBeLessThan(7);
    expect(decibels(peakOf(samples) / 32_768)).toBeCloseTo(-6, 1);
    expect(loudnessOf(samples)).toBeGreaterThan(-26);
    expect(loudnessOf(samples)).toBeLessThan(-12);
  });

  test("begins within 40 ms and holds no long silence", async () => {
    const samples = await voice.speak("Press 1 to confirm. Press 2 for another time.");
    const loud = [...samples.keys()].filter((at) => Math.abs(samples[at] ?? 0) > 330);
    expect(loud[0]).toBeLessThan(0.04 * 8_000);
    const gaps = loud.slice(1).map((at, i) => at - (loud[i] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(0.6 * 8_000);
  });

  test("says the same text in the same samples, each in a buffer of its own", async () => {
    const [first, second] = await Promise.all([voice.speak("Goodbye."), voice.speak("Goodbye.")]);
    const third = await voice.speak("Goodbye.");
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    expect(new Set([first.buffer, second.buffer, third.buffer]).size).toBe(3);
  });

  test("speaks on after its worker was killed", async () => {
    const worker = started.at(-1)!;
    const lost = rejectionOf(voice.speak("This is the sentence that is under way when the worker ends."));
    worker.terminate();
    expect((await lost).message).toContain("failed");
    expect((await voice.speak("Here I am again.")).length).toBeGreaterThan(4_000);
    expect(started).toHaveLength(2);
  });
});

/** A worker that the test answers for, and a voice in front of it. */
function setStage() {
  const clock = createManualClock();
  const logLines: string[] = [];
  const workers: {
    asked: ToVoiceWorker[];
    say: (message: FromVoiceWorker) => void;
    die: () => void;
    isEnded: boolean;
  }[] = [];
  const voice = createVoice({
    clock,
    logger: createLogger(clock, "debug", (line) => void logLines.push(line)),
    startWorker() {
      let die = (_reason: string): void => {};
      const worker: (typeof workers)[number] = { asked: [], say: () => {}, die: () => die("it threw"), isEnded: false };
      workers.push(worker);
      return {
        post: (message) => void worker.asked.push(message),
        onMessage: (listener) => (worker.say = listener),
        onEnd: (listener) => (die = listener),
        terminate: () => (worker.isEnded = true),
      };
    },
  });
  const asked = (worker = workers.length - 1) => workers[worker]!.asked.map(({ sentence }) => sentence);
  const answer = async (length = 3) => {
    const { asked, say } = workers.at(-1)!;
    say({ id: asked.at(-1)!.id, samples: new Int16Array(length).fill(length) });
    await clock.advance(0);
  };
  return { clock, voice, workers, asked, answer, logLines };
}

describe("in front of its worker, the voice", () => {
  test("has English and nothing else", () => {
    const { voice } = setStage();
    expect(["en", "en-IN", "EN_us", "English"].map((language) => voice.speaks(language))).toEqual(Array(4).fill(true));
    expect(["hi-IN", "es", "", "enm", "Hindi", "de-en"].map((language) => voice.speaks(language))).toEqual(
      Array(6).fill(false),
    );
  });

  test("sends one sentence at a time, in the order of asking, and joins them", async () => {
    const { voice, asked, answer } = setStage();
    const spoken = voice.speak("One. Two.");
    expect(asked()).toEqual(["One."]);
    await answer(1);
    expect(asked()).toEqual(["One.", "Two."]);
    await answer(2);
    expect([...(await spoken)]).toEqual([1, 2, 2]);
  });

  test("asks once for a sentence that many want, and never again while it is remembered", async () => {
    const { voice, asked, answer } = setStage();
    const both = Promise.all([voice.speak("Menu."), voice.speak("Menu.")]);
    await answer();
    await both;
    await voice.speak("Menu.");
    expect(asked()).toEqual(["Menu."]);
  });

  test("refuses a text that is too long, or that holds nothing to read", async () => {
    const { voice, asked } = setStage();
    expect((await rejectionOf(voice.speak("a ".repeat(1_001)))).message).toContain("2002 characters");
    expect((await rejectionOf(voice.speak("नमस्ते"))).message).toContain("nothing");
    expect(asked()).toEqual([]);
  });

  test("passes on that a sentence made no sound, and goes on with the next", async () => {
    const { voice, workers, asked, answer } = setStage();
    const lost = rejectionOf(voice.speak("One."));
    const next = voice.speak("Two.");
    workers[0]!.say({ id: workers[0]!.asked[0]!.id, error: "no sound" });
    expect((await lost).message).toBe("no sound");
    await answer();
    expect(await next).toHaveLength(3);
    expect(asked()).toEqual(["One.", "Two."]);
    expect(workers).toHaveLength(1);
  });

  test("gives up a sentence after 5 s, ends the stuck worker, and lets the next one say the rest", async () => {
    const { clock, voice, workers, asked, answer, logLines } = setStage();
    const stuck = rejectionOf(voice.speak("One."));
    await clock.advance(4_000);
    const next = voice.speak("Two.");
    await clock.advance(1_000);
    expect((await stuck).message).toContain("failed");
    expect(workers[0]!.isEnded).toBe(true);
    await clock.advance(500);
    expect(asked(1)).toEqual(["Two."]);
    await answer();
    expect(await next).toHaveLength(3);
    expect(logLines.join()).not.toContain("One.");
  });

  test("does not keep anybody waiting longer than 5 s for a turn", async () => {
    const { clock, voice, workers, answer } = setStage();
    for (let death = 0; death < 5; death++) {
      workers.at(-1)!.die();
      if (death < 4) await clock.advance(8_000);
    }
    const waits = rejectionOf(voice.speak("One."));
    await clock.advance(5_000);
    expect((await waits).message).toContain("in time");
    await clock.advance(3_000);
    const later = voice.speak("Two.");
    await answer();
    expect(await later).toHaveLength(3);
  });

  test("starts a worker that keeps dying ever more slowly", async () => {
    const { clock, workers } = setStage();
    const startedAfterMs: number[] = [];
    for (let death = 0; death < 9; death++) {
      workers.at(-1)!.die();
      const before = workers.length;
      let waitedMs = 0;
      for (; workers.length === before; waitedMs += 500) await clock.advance(500);
      startedAfterMs.push(waitedMs);
    }
    expect(startedAfterMs).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  test("takes no more than 200 sentences at once", async () => {
    const { voice } = setStage();
    const asked = Array.from({ length: 202 }, (_, i) => voice.speak(`Number ${i}.`));
    asked.slice(0, -1).forEach((each) => void each.catch(() => {}));
    expect((await rejectionOf(asked.at(-1)!)).message).toContain("too much");
    await voice.stop();
  });

  test("once stopped, refuses what waits and what comes", async () => {
    const { clock, voice, workers } = setStage();
    const waits = [rejectionOf(voice.speak("One.")), rejectionOf(voice.speak("Two."))];
    await voice.stop();
    for (const each of [...waits, rejectionOf(voice.speak("Three."))])
      expect((await each).message).toContain("stopped");
    expect(workers[0]!.isEnded).toBe(true);
    await clock.advance(60_000);
    expect(workers).toHaveLength(1);
  });
});
