// Inputs of the two networks and processing of their outputs, with recording fakes.
import { expect, test } from "bun:test";
import { floats, floatsOf, type Tensor } from "../../../../src/speech/onnx/runtime.ts";
import { finished } from "../../../../src/speech/tts/neural/finish.ts";
import { createNeuralVoice } from "../../../../src/speech/tts/neural/neural-voice.ts";
import { normalNoise } from "../../../../src/speech/tts/neural/noise.ts";

function setStage() {
  const asked: Record<string, Tensor>[] = [];
  const voice = createNeuralVoice({
    front: {
      run(inputs) {
        asked.push({ ...inputs });
        return {
          "/encoder/MatMul_1_output_0": floats(new Float32Array(512 * 3), [1, 512, 3]),
          "/encoder/Reshape_output_0": floats(new Float32Array(6), [6]),
          "/encoder/Reshape_1_output_0": floats(new Float32Array(6), [6]),
        };
      },
    },
    decoder: {
      run(inputs) {
        asked.push({ ...inputs });
        return { wave: floats(new Float32Array(600).fill(0.25), [1, 600]) };
      },
    },
  });
  return { asked, voice };
}

test("a sentence has the row of its length in the voice's table, and as much noise as samples", () => {
  const { asked, voice } = setStage();
  const manner = Float32Array.from({ length: 510 * 256 }, (_, i) => Math.floor(i / 256));
  expect(voice({ sounds: [50, 83, 54], manner })).toHaveLength(600);
  const [front, decoder] = asked;
  expect(front?.["input_ids"]?.data).toEqual(BigInt64Array.of(0n, 50n, 83n, 54n, 0n));
  expect(front?.["style"]?.data).toEqual(new Float32Array(256).fill(3));
  expect(front?.["speed"]?.data).toEqual(Float32Array.of(1));
  expect(decoder?.["style"]?.dims).toEqual([1, 128]);
  expect(decoder?.["f0"]?.dims).toEqual([1, 6]);
  expect(decoder?.["noise"]?.dims).toEqual([1, 600]);
  voice({ sounds: Array<number>(900).fill(50), manner });
  expect(asked[2]?.["style"]?.data).toEqual(new Float32Array(256).fill(509));
});

test("a speed is the network's own, and the pause after the words grows with it", () => {
  const { asked, voice } = setStage();
  voice({ sounds: [50, 83], manner: new Float32Array(510 * 256), speed: 0.5 });
  expect(asked[0]?.["speed"]?.data).toEqual(Float32Array.of(0.5));
  const raw = new Float32Array(8_000).fill(0.1);
  const [usual, slow] = [finished(raw, "Yes.", "heart"), finished(raw, "Yes.", "heart", 0.5)];
  expect(slow.length - usual.length).toBe(0.22 * 8_000);
});

test("the same sounds have the same noise, others have another", () => {
  const { asked, voice } = setStage();
  const manner = new Float32Array(510 * 256);
  for (const sounds of [
    [50, 83],
    [50, 83],
    [83, 50],
  ])
    voice({ sounds, manner });
  const [first, second, third] = [asked[1], asked[3], asked[5]].map((inputs) => floatsOf(inputs?.["noise"]));
  expect(second).toEqual(first);
  expect(third).not.toEqual(first);
  voice({ sounds: [50, 83], manner, seed: 1 });
  expect(floatsOf(asked[7]?.["noise"])).not.toEqual(first);
});

test("the noise is normal: mean 0, variance 1, and no number that is none", () => {
  const noise = normalNoise(20_001, 7);
  const mean = noise.reduce((sum, value) => sum + value, 0) / noise.length;
  const variance = noise.reduce((sum, value) => sum + value * value, 0) / noise.length;
  expect(mean).toBeCloseTo(0, 1);
  expect(variance).toBeCloseTo(1, 1);
  expect(noise.every(Number.isFinite)).toBe(true);
});

/** A tone of this many seconds with silence around it, and the click that the network leaves at its edges. */
function raw(leadSeconds: number, toneSeconds: number, tailSeconds: number): Float32Array {
  const [lead, tone, tail] = [leadSeconds, toneSeconds, tailSeconds].map((seconds) => seconds * 8_000) as [
    number,
    number,
    number,
  ];
  const samples = Float32Array.from({ length: lead + tone + tail }, (_, i) => {
    const isTone = i >= lead && i < lead + tone;
    return (isTone ? 0.1 : 0.000_05) * Math.sin(i);
  });
  samples[0] = 0.05;
  return samples;
}

test("the network's lead and trail go, and the pause is the one that the sentence asks for", () => {
  const seconds = (sentence: string) => finished(raw(0.4, 1, 0.6), sentence, "heart").length / 8_000;
  expect(seconds("Yes.")).toBeCloseTo(1.26, 2);
  expect(seconds("Yes,")).toBeCloseTo(1.16, 2);
  expect(seconds("Yes")).toBeCloseTo(1.08, 2);
  expect(
    finished(raw(0.4, 1, 0.6), "Yes.", "heart")
      .subarray(-1_500)
      .every((sample) => sample === 0),
  ).toBe(true);
});

test("tones that a Hindi voice leaves before and after a clause go, and an English sentence is cut as before", () => {
  const toned = () => {
    const samples = raw(0.4, 1, 0.6);
    // 30 ms at -50 dBFS: louder than a pause, and 200 ms away from the words.
    for (let i = 0; i < 240; i++) samples[1_200 + i] = samples[13_600 + i] = 0.0045 * Math.sin(i);
    return samples;
  };
  expect(finished(toned(), "नमस्ते।", "hi-alpha").length / 8_000).toBeCloseTo(1.26, 1);
  expect(finished(toned(), "Yes.", "heart").length / 8_000).toBeGreaterThan(1.7);
});

test("a danda ends a sentence as a full stop does", () => {
  const samples = (sentence: string) => finished(raw(0.4, 1, 0.6), sentence, "hi-alpha").length;
  expect(samples("नमस्ते।")).toBe(samples("Yes."));
  expect(samples("नमस्ते,")).toBe(samples("Yes,"));
});

test("a sentence without any sound is an error, not silence", () => {
  expect(() => finished(new Float32Array(8_000), "Yes.", "heart")).toThrow("no audio");
});
