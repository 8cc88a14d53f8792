// When recognition is repeated, and which result counts.
import { expect, test } from "bun:test";
import type { Transcribed } from "../../../src/speech/asr/moonshine.ts";
import { transcribeWell as transcribe } from "../../../src/speech/asr/second-opinion.ts";
import { speechLike } from "../../support/sounds.ts";

/** A recogniser with scripted results. */
function saying(...answers: Transcribed[]) {
  const heard: number[] = [];
  const transcribe = (samples: Float32Array) => {
    heard.push(samples.length);
    return answers.shift() ?? { text: "nothing more", confidence: 0, others: [] };
  };
  return { heard, transcribe };
}
const SECOND = speechLike(1, 1);
const transcribeWell = (recogniser: ReturnType<typeof saying>, samples: Int16Array, tookMs = 200) =>
  transcribe(recogniser, samples, () => () => tookMs);

test("clear speech is recognised once", () => {
  const recogniser = saying({ text: "Yes.", confidence: 0.9, others: [] });
  expect(transcribeWell(recogniser, SECOND)).toEqual({ text: "Yes.", confidence: 0.9, others: [] });
  expect(recogniser.heard).toEqual([16_000]);
});

test("unclear speech is recognised again, a tenth slower, and the higher confidence counts", () => {
  const recogniser = saying(
    { text: "For you.", confidence: 0.5, others: [] },
    { text: "Four.", confidence: 0.7, others: [] },
  );
  expect(transcribeWell(recogniser, SECOND).text).toBe("Four.");
  expect(recogniser.heard[1]).toBeCloseTo(17_600, -1);
  expect(
    transcribeWell(
      saying({ text: "a", confidence: 0.7, others: [] }, { text: "b", confidence: 0.5, others: [] }),
      SECOND,
    ).text,
  ).toBe("a");
});

test("the other result becomes an alternative hypothesis", () => {
  const recogniser = saying(
    { text: "I have just paid.", confidence: 0.5, others: ["I have chest pain."] },
    { text: "I have just paid it.", confidence: 0.7, others: [] },
  );
  expect(transcribeWell(recogniser, SECOND)).toEqual({
    text: "I have just paid it.",
    confidence: 0.7,
    others: ["I have just paid.", "I have chest pain."],
  });
});

test("a long announcement is recognised once, however unclear", () => {
  const recogniser = saying({ text: "leave a message", confidence: 0.3, others: [] });
  transcribeWell(recogniser, speechLike(7, 1));
  expect(recogniser.heard).toHaveLength(1);
});

test("a slow machine recognises once", () => {
  const recogniser = saying({ text: "For you.", confidence: 0.5, others: [] });
  transcribeWell(recogniser, SECOND, 900);
  expect(recogniser.heard).toHaveLength(1);
});

test("silence and a single sample end with an answer", () => {
  expect(transcribeWell(saying(), new Int16Array(0)).confidence).toBe(0);
  expect(transcribeWell(saying(), new Int16Array(1)).confidence).toBe(0);
});
