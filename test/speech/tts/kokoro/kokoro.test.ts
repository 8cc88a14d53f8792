// What Kokoro is given and what is made of its answer, with a network that only notes it.
import { expect, test } from "bun:test";
import { activeLevelDb } from "../../../../src/audio/speech-level.ts";
import { floats, type Tensor } from "../../../../src/speech/onnx/runtime.ts";
import { finishedClause, KOKORO_RATE_HZ } from "../../../../src/speech/tts/kokoro/finish.ts";
import { utter } from "../../../../src/speech/tts/kokoro/load.ts";
import { hindiVoiceNamed } from "../../../../src/speech/tts/kokoro/voices.ts";

test("a clause has the row of its length in the voice's table", () => {
  const asked: Record<string, Tensor>[] = [];
  const network = {
    run(inputs: Readonly<Record<string, Tensor>>) {
      asked.push({ ...inputs });
      return { waveform: floats(new Float32Array(600), [1, 600]) };
    },
  };
  const manner = Float32Array.from({ length: 510 * 256 }, (_, i) => Math.floor(i / 256));
  expect(utter(network, [50, 83, 54], manner)).toHaveLength(600);
  utter(network, Array<number>(900).fill(50), manner);
  expect(asked[0]?.["input_ids"]?.data).toEqual(BigInt64Array.of(0n, 50n, 83n, 54n, 0n));
  expect(asked[0]?.["style"]?.data).toEqual(new Float32Array(256).fill(3));
  expect(asked[1]?.["style"]?.data).toEqual(new Float32Array(256).fill(509));
});

/** A second of a tone, with half a second of near silence on both sides. */
const raw = Float32Array.from({ length: 2 * KOKORO_RATE_HZ }, (_, i) => {
  const seconds = i / KOKORO_RATE_HZ;
  return seconds > 0.5 && seconds < 1.5 ? 0.02 * Math.sin(2 * Math.PI * 440 * seconds) : 0.000_01;
});

test("what the telephone gets has 8,000 samples a second, no lead, its sign's pause, and the level of all voices", () => {
  const secondsOf = (clause: string) => finishedClause(raw, clause).length / 8_000;
  expect(secondsOf("नमस्ते।")).toBeCloseTo(1.26, 1);
  expect(secondsOf("नमस्ते,")).toBeCloseTo(1.16, 1);
  expect(secondsOf("नमस्ते")).toBeCloseTo(1.08, 1);
  expect(activeLevelDb(finishedClause(raw, "नमस्ते।"))).toBeCloseTo(-20, 0);
});

test("a clause without any sound is an error, not silence", () => {
  expect(() => finishedClause(new Float32Array(KOKORO_RATE_HZ), "नमस्ते।")).toThrow("no sound");
});

test.each([
  ["alpha", "alpha"],
  ["hm_psi", "psi"],
  [" Omega ", "omega"],
  ["michael", "omega"],
  ["heart", "alpha"],
  ["whoever", "alpha"],
] as const)("an agent's voice %s is %s in Hindi", (setting, voice) => {
  expect(hindiVoiceNamed(setting)).toBe(voice);
});
