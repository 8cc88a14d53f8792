// Synthesis queue: order, deduplication and rejections. speech-workers.test.ts covers the real voice.
import { describe, expect, test } from "bun:test";
import { messageOf } from "../../../src/core/errors.ts";
import { createSpeaker } from "../../../src/speech/tts/speaker.ts";
import type { Pace } from "../../../src/speech/tts/pace.ts";
import type { BuiltInVoice } from "../../../src/speech/tts/voices.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { rejectionOf } from "../../support/temp.ts";

/** Each sentence becomes as many samples as it has letters. */
function setStage(synthesise = (sentence: string) => new Int16Array(sentence.length).fill(sentence.length)) {
  const clock = createManualClock();
  const said: string[] = [];
  const speaker = createSpeaker({
    clock,
    synthesise(sentence, voice, pace) {
      said.push([...(pace === "slow" ? ["slowly"] : []), ...(voice === "heart" ? [] : [voice]), sentence].join(": "));
      return synthesise(sentence);
    },
  });
  const speak = (text: string, unwanted?: AbortSignal, voice: BuiltInVoice = "heart", pace: Pace = "usual") =>
    speaker.speak(text, { voice, pace }, unwanted);
  const hurry = (text: string) => speaker.hurry(text, { voice: "heart", pace: "usual" });
  return { clock, said, speak, hurry };
}

test("synthesises sentences in order of request, and joins them", async () => {
  const { clock, said, speak } = setStage();
  const first = speak("One. Three.");
  const second = speak("Two two.");
  await clock.advance(0);
  expect(said).toEqual(["One.", "Three.", "Two two."]);
  expect([...(await first)]).toEqual([...Array<number>(4).fill(4), ...Array<number>(6).fill(6)]);
  expect(await second).toHaveLength(8);
});

test("synthesises urgent speech before prepared speech", async () => {
  const { clock, said, speak, hurry } = setStage();
  const all = [speak("Ahead. Later."), speak("Now."), speak("Then.")];
  hurry("Now.");
  await clock.advance(0);
  await Promise.all(all);
  expect(said).toEqual(["Now.", "Ahead.", "Later.", "Then."]);
});

test("yields between sentences, so that the thread receives messages and sends heartbeats", async () => {
  const { clock, said, speak } = setStage();
  const seen: number[] = [];
  const look = () => {
    seen.push(said.length);
    if (seen.length < 4) clock.after(0, look);
  };
  const spoken = speak("One. Two. Three.");
  clock.after(0, look);
  await clock.advance(0);
  await spoken;
  expect(seen).toEqual([1, 2, 3, 3]);
});

test("deduplicates requests and caches results", async () => {
  const { clock, said, speak } = setStage();
  const both = Promise.all([speak("Menu."), speak("Menu.")]);
  await clock.advance(0);
  await both;
  await speak("Menu.");
  expect(said).toEqual(["Menu."]);
});

test("the pace is part of the cache key", async () => {
  const { clock, said, speak } = setStage();
  for (const pace of ["usual", "slow", "usual", "slow"] as const) {
    void speak("One.", undefined, "heart", pace);
    await clock.advance(0);
  }
  expect(said).toEqual(["One.", "slowly: One."]);
});

test("the voice is part of the cache key", async () => {
  const { clock, said, speak } = setStage();
  const both = Promise.all([speak("Menu."), speak("Menu.", undefined, "emma")]);
  await clock.advance(0);
  await both;
  expect(said).toEqual(["Menu.", "emma: Menu."]);
});

test("a Hindi clause is passed on unchanged, because its phonemes normalise it", async () => {
  const { clock, said, speak } = setStage();
  const clause = "डॉ. मेहता, 10:30 बजे।";
  const spoken = speak(clause, undefined, "hi-psi");
  await clock.advance(0);
  expect(await spoken).toHaveLength(clause.length);
  expect(said).toEqual([`hi-psi: ${clause}`]);
});

test("cancelled sentences are dropped unless another request shares them", async () => {
  const { clock, said, speak } = setStage();
  const [gone, alsoGone] = [new AbortController(), new AbortController()];
  const first = speak("Under way.");
  const shared = Promise.allSettled([speak("Shared.", gone.signal), speak("Shared.")]);
  const dropped = rejectionOf(speak("Dropped.", alsoGone.signal));
  gone.abort();
  alsoGone.abort();
  await clock.advance(0);
  await first;
  expect((await shared).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect((await dropped).message).toContain("cancelled");
  expect(said).toEqual(["Under way.", "Shared."]);
});

test("pronunciation marks do not count as text, but are bounded", async () => {
  const { clock, said, speak } = setStage();
  const marked = "{Rao|ROW} ".repeat(400);
  const spoken = speak(marked);
  await clock.advance(0);
  expect((await spoken).length).toBeGreaterThan(0);
  expect(said.join(" ")).toContain("{Rao|ROW}");
  expect((await rejectionOf(speak(`{a|${"b".repeat(20_000)}}`))).message).toContain("can be spoken");
});

test("gives each requester its own transferable buffer", async () => {
  const { clock, speak } = setStage();
  const both = Promise.all([speak("Menu."), speak("Menu.")]);
  await clock.advance(0);
  const [first, second] = await both;
  structuredClone(first, { transfer: [first.buffer] });
  expect(first).toHaveLength(0);
  expect(second).toHaveLength(5);
  expect(await speak("Menu.")).toHaveLength(5);
});

test("refuses a text that is too long, or that holds nothing to read, and quotes neither", async () => {
  const { said, speak } = setStage();
  const tooLong = (await rejectionOf(speak("Meera ".repeat(400)))).message;
  expect(tooLong).toContain("2400 characters");
  expect(tooLong).not.toContain("Meera");
  expect((await rejectionOf(speak("नमस्ते"))).message).toContain("nothing");
  expect(said).toEqual([]);
});

test("reports a failed sentence, and continues with the next", async () => {
  const { clock, said, speak } = setStage((sentence) => {
    if (sentence === "One.") throw new Error("no sound");
    return new Int16Array(3);
  });
  const lost = rejectionOf(speak("One."));
  const next = speak("Two.");
  await clock.advance(0);
  expect((await lost).message).toBe("no sound");
  expect(await next).toHaveLength(3);
  expect(said).toEqual(["One.", "Two."]);
});

test("retries a sentence that failed before", async () => {
  let isBroken = true;
  const { clock, speak } = setStage(() => {
    if (isBroken) throw new Error("no sound");
    return new Int16Array(3);
  });
  const lost = rejectionOf(speak("One."));
  await clock.advance(0);
  await lost;
  isBroken = false;
  const again = speak("One.");
  await clock.advance(0);
  expect(await again).toHaveLength(3);
});

describe("with more requests than can be spoken in time", () => {
  /** A thread that takes this long per sentence: timers due meanwhile fire late. */
  function slowly(sentenceMs: number) {
    const waiting: { atMs: number; callback: () => void }[] = [];
    let nowMs = 0;
    const speaker = createSpeaker({
      clock: {
        now: () => nowMs,
        elapsedMs: () => nowMs,
        after(delayMs, callback) {
          const timer = { atMs: nowMs + delayMs, callback };
          waiting.push(timer);
          return () => void (waiting.includes(timer) && waiting.splice(waiting.indexOf(timer), 1));
        },
      },
      synthesise() {
        nowMs += sentenceMs;
        return new Int16Array(1);
      },
    });
    async function run(): Promise<void> {
      for (let next = earliest(); next; next = earliest()) {
        waiting.splice(waiting.indexOf(next), 1);
        nowMs = Math.max(nowMs, next.atMs);
        next.callback();
        await Promise.resolve();
      }
    }
    const earliest = () => waiting.toSorted((a, b) => a.atMs - b.atMs)[0];
    const speak = (text: string, longestWaitMs?: number) =>
      speaker.speak(text, { voice: "heart", pace: "usual" }, undefined, longestWaitMs);
    return { speak, run };
  }

  test("requests time out after 5 s and do not delay later ones", async () => {
    const { speak, run } = slowly(200);
    const outcomes = Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        speak(`Number ${"i".repeat(i)}.`).then(
          () => "said",
          (error: unknown) => messageOf(error),
        ),
      ),
    );
    await run();
    const told = await outcomes;
    const said = told.filter((each) => each === "said").length;
    expect(said).toBeGreaterThanOrEqual(25);
    expect(said).toBeLessThan(30);
    expect(new Set(told.slice(said))).toEqual(new Set(["The sentence timed out in the speech queue."]));
    const later = speak("Later.");
    await run();
    expect(await later).toHaveLength(1);
  });

  test("requests with a longer timeout wait", async () => {
    const { speak, run } = slowly(200);
    const asked = Array.from({ length: 60 }, (_, i) => speak(`Number ${"i".repeat(i)}.`, 600_000));
    await run();
    expect(await Promise.all(asked)).toHaveLength(60);
  });

  test("no more than 200 sentences are taken at once", async () => {
    const { speak, run } = slowly(1);
    const asked = Array.from({ length: 201 }, (_, i) => speak(`Number ${"i".repeat(i)}.`));
    expect((await rejectionOf(asked.pop()!)).message).toContain("queue is full");
    await run();
    expect(await Promise.all(asked)).toHaveLength(200);
  });
});
