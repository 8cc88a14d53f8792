// Silero's real network: speech, silence and noise, one call and several at once.
import { beforeAll, describe, expect, test } from "bun:test";
import { createDetector } from "../../../src/speech/ears/detector.ts";
import { loadRuntime, type Model } from "../../../src/speech/onnx/runtime.ts";
import { readWeights, WEIGHTS } from "../../../src/speech/onnx/weights.ts";
import { inRoom } from "../../support/patient/room.ts";
import { amidSilence, framesOf, spoken } from "../spoken.ts";

let model: Model;
beforeAll(async () => {
  model = (await loadRuntime("")).openModel(await readWeights(WEIGHTS.voiceDetector));
}, 180_000);

/** Results of each ear, fed frame by frame together. */
function hear(calls: readonly Int16Array[]): number[][] {
  const detector = createDetector(model);
  const found: number[][] = calls.map(() => []);
  const frames = calls.map((samples) => [...framesOf(samples)]);
  for (let at = 0; at < Math.max(...frames.map(({ length }) => length)); at++) {
    const ears = frames.flatMap((list, ear) => (list[at] ? [ear] : []));
    const samples = new Int16Array(ears.length * 160);
    for (const [i, ear] of ears.entries()) samples.set(frames[ear]![at]!, i * 160);
    const heard = detector.hear({ ears, samples, closed: [] });
    for (const [i, ear] of heard.ears.entries()) found[ear]!.push(heard.probabilities[i]!);
  }
  return found;
}

describe("the voice detector", () => {
  test("detects speech, and none in silence or stationary noise", async () => {
    const sentence = await spoken("i-want-to-speak-to-a-person");
    const [call] = hear([amidSilence(sentence, 960, 960)]);
    const lead = call!.slice(0, 28);
    const words = call!.slice(38, 30 + Math.floor(sentence.length / 256) - 8);
    expect(lead.filter((probability) => probability >= 0.35)).toEqual([]);
    expect(words.filter((probability) => probability >= 0.5).length).toBeGreaterThan(words.length * 0.8);
    let seed = 7;
    const noise = Int16Array.from({ length: 16_000 }, () => ((seed = (seed * 16_807) % 2_147_483_647) % 400) - 200);
    expect(hear([noise])[0]!.filter((probability) => probability >= 0.5)).toEqual([]);
  });

  test("detects a short answer after 30 s of a noisy room as well as at once", async () => {
    const room = { noiseDb: 8, lossShare: 0, seed: 3 };
    const yes = (await spoken("yes-i-will-be-there")).slice(0, 5_000);
    const after = (seconds: number) => {
      const lead = seconds * 8_000;
      const call = new Int16Array(lead + yes.length);
      call.set(yes, lead);
      const [heard = []] = hear([inRoom(call, room, 0.5)]);
      return heard.slice(lead / 256).filter((probability) => probability >= 0.5).length;
    };
    expect(after(32)).toBeGreaterThanOrEqual(after(2) - 2);
  });

  test("gives one answer for each 32 ms, whatever the frames' length", () => {
    // 50 frames of 20 ms are one second: 31.25 windows.
    expect(hear([new Int16Array(8_000)])[0]).toHaveLength(31);
  });

  test("gives each call of a batch the same result as alone", async () => {
    const sentences = [await spoken("yes-i-will-be-there"), await spoken("the-second-one-please")];
    const calls = [amidSilence(sentences[0]!, 300, 400), new Int16Array(9_600), amidSilence(sentences[1]!, 0, 320)];
    const together = hear(calls);
    for (const [at, call] of calls.entries()) {
      const alone = hear([call])[0]!;
      expect(together[at]).toHaveLength(alone.length);
      for (const [i, probability] of alone.entries()) expect(together[at]![i]).toBeCloseTo(probability, 3);
    }
  });

  test("takes several frames of one call in one message, and forgets a call that is over", () => {
    const detector = createDetector(model);
    const heard = detector.hear({ ears: [3, 3, 3, 3, 3], samples: new Int16Array(800), closed: [] });
    expect(heard.ears).toEqual([3, 3, 3]);
    expect(detector.calls).toBe(1);
    detector.hear({ ears: [], samples: new Int16Array(0), closed: [3] });
    expect(detector.calls).toBe(0);
  });
});
