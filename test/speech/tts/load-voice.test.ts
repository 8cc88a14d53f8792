// Fallback when the neural voice cannot be loaded. speech-workers.test.ts covers the neural voice.
import { expect, test } from "bun:test";
import { activeLevelDb } from "../../../src/audio/speech-level.ts";
import { createLogger } from "../../../src/core/logger.ts";
import { loadVoice } from "../../../src/speech/tts/load-voice.ts";
import type { FromSpeechWorker } from "../../../src/speech/tts/protocol.ts";
import { createSpeech } from "../../../src/speech/tts/speech.ts";
import { createManualClock } from "../../support/manual-clock.ts";

test("Flite is used at the same level, ignores pronunciation marks, and the reason is given", async () => {
  const { synthesise, fallbackReason } = await loadVoice(() => Promise.reject(new Error("no library")));
  expect(fallbackReason).toBe("no library");
  const samples = synthesise("Good morning, {Asha|AA-sha}.", "emma");
  expect(samples).toEqual(synthesise("Good morning, Asha.", "heart"));
  expect(activeLevelDb(samples)).toBeCloseTo(-20, 0);
  const slow = synthesise("Good morning, Asha.", "heart", "slow");
  expect(slow.length / samples.length).toBeWithin(1.1, 1.25);
  expect(() => synthesise("नमस्ते।", "hi-alpha")).toThrow("English only");
});

test("the log reports it once per worker", () => {
  const clock = createManualClock();
  const lines: string[] = [];
  let say = (_message: FromSpeechWorker): void => {};
  createSpeech({
    clock,
    logger: createLogger(clock, "info", (line) => void lines.push(line)),
    startWorker: () => ({
      post() {},
      onMessage: (listener) => void (say = listener),
      onEnd() {},
      terminate() {},
    }),
  });
  say({ type: "simpleVoice", reason: "There is no ONNX Runtime for linux-x64-musl." });
  say({ type: "ready" });
  expect(lines.filter((line) => line.includes("simple voice is used"))).toEqual([
    expect.stringContaining("There is no ONNX Runtime for linux-x64-musl."),
  ]);
});
