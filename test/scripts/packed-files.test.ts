// Files compressed inside the executable: only where that saves space, once, and deterministic.
import { expect, test } from "bun:test";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packFiles } from "../../scripts/packed-files.ts";
import { unpacked } from "../../src/speech/onnx/packed-file.ts";
import { tempFolder } from "../support/temp.ts";

function fileWith(content: Uint8Array): string {
  const file = join(tempFolder(), "weights.bin");
  writeFileSync(file, content);
  return file;
}

const even = new Uint8Array(200_000).map((_, at) => at % 7);

test("a file that gains is compressed, and comes out as it was", async () => {
  const file = fileWith(even);
  const packed = (await packFiles(tempFolder(), [file]))(file);
  expect(packed).toMatch(/weights\.bin-[0-9a-f]{16}-\d+\.zst$/);
  expect(statSync(packed).size).toBeLessThan(even.byteLength / 10);
  expect(await unpacked(packed)).toEqual(even);
});

test("one that gains next to nothing stays as it is, and so does one that was not named", async () => {
  const random = fileWith(crypto.getRandomValues(new Uint8Array(60_000)));
  const inside = await packFiles(tempFolder(), [random]);
  expect(inside(random)).toBe(random);
  expect(inside("/elsewhere")).toBe("/elsewhere");
  expect(await unpacked(random)).toHaveLength(60_000);
});

test("it is compressed once, two builds at once agree, and a changed file is another", async () => {
  const root = tempFolder();
  const file = fileWith(even);
  const [first, second] = await Promise.all([packFiles(root, [file]), packFiles(root, [file])]);
  expect(second(file)).toBe(first(file));
  const made = statSync(first(file)).mtimeMs;
  expect(statSync((await packFiles(root, [file]))(file)).mtimeMs).toBe(made);
  writeFileSync(file, even.with(0, 1));
  expect((await packFiles(root, [file]))(file)).not.toBe(first(file));
  expect(readdirSync(join(root, ".tools/packed")).filter((name) => !name.endsWith(".zst"))).toEqual([]);
});
