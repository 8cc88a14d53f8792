// Recogniser thread: an added model if usable, otherwise the built-in one.
import { expect, test } from "bun:test";
import { beRecogniser } from "../../../src/speech/asr/role.ts";
import { loadRuntime } from "../../../src/speech/onnx/runtime.ts";
import { WEIGHTS } from "../../../src/speech/onnx/weights.ts";

async function begin(added: Parameters<typeof beRecogniser>[1]["added"]) {
  const told: string[] = [];
  await beRecogniser(await loadRuntime(""), {
    added,
    fellBack: (reason) => void told.push(reason),
    stopwatch: () => () => 0,
    workwatch: () => () => 7,
    measured: (utteranceMs) => void told.push(`${utteranceMs} ms`),
    recognised() {},
  });
  return told;
}

test("an added recogniser is used, and a damaged or wrong one is replaced by the built-in one", async () => {
  const { moonshineEncoder: encoder, moonshineDecoder: decoder, voiceDetector } = WEIGHTS;
  expect(await begin({ encoder, decoder })).toEqual(["7 ms"]);
  const damaged = await begin({ encoder: { ...encoder, sha256: "0".repeat(64) }, decoder });
  expect(damaged).toEqual([expect.stringContaining("SHA-256"), "7 ms"]);
  const another = await begin({ encoder: voiceDetector, decoder });
  expect(another).toEqual([expect.any(String), "7 ms"]);
}, 180_000);
