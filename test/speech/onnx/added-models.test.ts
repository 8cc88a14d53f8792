// Added models: complete, verified, and used only if all parts exist.
import { expect, test } from "bun:test";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addedModel, addedRecogniser, addModel, removeModel, sha256Of } from "../../../src/speech/onnx/added-models.ts";
import { readWeights } from "../../../src/speech/onnx/weights.ts";
import { rejectionOf, tempFolder } from "../../support/temp.ts";

async function brought(text: string) {
  const file = join(tempFolder(), "model.onnx");
  writeFileSync(file, text);
  return { file, sha256: await sha256Of(file) };
}

test("a recogniser is used once both of its parts are there, and no longer when one is removed", async () => {
  const dataDir = tempFolder();
  const [encoder, decoder] = [await brought("encoder"), await brought("decoder")];
  await addModel(dataDir, "recogniser-encoder", encoder.file, encoder.sha256.toUpperCase());
  expect(addedRecogniser(dataDir)).toBeNull();
  await addModel(dataDir, "recogniser-decoder", decoder.file, decoder.sha256);
  const added = addedRecogniser(dataDir);
  expect(new TextDecoder().decode(await readWeights(added!.decoder))).toBe("decoder");
  expect(statSync(join(dataDir, "models")).mode & 0o777).toBe(0o700);
  expect(removeModel(dataDir, "recogniser-encoder")).toBe(true);
  expect(removeModel(dataDir, "recogniser-encoder")).toBe(false);
  expect(addedRecogniser(dataDir)).toBeNull();
});

test("a file with another SHA-256 is rejected, and the previous one stays", async () => {
  const dataDir = tempFolder();
  const [old, damaged] = [await brought("old"), await brought("damaged")];
  await addModel(dataDir, "recogniser-encoder", old.file, old.sha256);
  const refusal = await rejectionOf(addModel(dataDir, "recogniser-encoder", damaged.file, old.sha256));
  expect(refusal.message).toContain(damaged.sha256);
  const kept = addedModel(dataDir, "recogniser-encoder");
  expect(new TextDecoder().decode(await readWeights(kept!))).toBe("old");
  expect(existsSync(join(dataDir, "models", "recogniser-encoder.onnx.new"))).toBe(false);
  expect((await rejectionOf(addModel(dataDir, "recogniser-encoder", "/nowhere", old.sha256))).message).toContain(
    "no file",
  );
});

test("a file changed on disk afterwards is not loaded", async () => {
  const dataDir = tempFolder();
  const model = await brought("true");
  await addModel(dataDir, "recogniser-encoder", model.file, model.sha256);
  writeFileSync(join(dataDir, "models", "recogniser-encoder.onnx"), "fake");
  expect((await rejectionOf(readWeights(addedModel(dataDir, "recogniser-encoder")!))).message).toContain("SHA-256");
});
