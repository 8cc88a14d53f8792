// Models added by the operator: files next to the database with their SHA-256, verified at every load. A complete added
// recogniser replaces the built-in one.
import { createHash } from "node:crypto";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { Weights } from "./weights.ts";

/** The two networks of a Moonshine model of any size, in the authors' ONNX export. */
export const MODEL_PARTS = ["recogniser-encoder", "recogniser-decoder"] as const;
export type ModelPart = (typeof MODEL_PARTS)[number];

/** Larger models do not run on supported machines. */
const MOST_BYTES = 2 * 1_024 ** 3;

export interface AddedRecogniser {
  encoder: Weights;
  decoder: Weights;
}

const folderIn = (dataDir: string) => join(dataDir, "models");
const fileOf = (dataDir: string, part: ModelPart) => join(folderIn(dataDir), `${part}.onnx`);
const noteOf = (dataDir: string, part: ModelPart) => join(folderIn(dataDir), `${part}.json`);

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}

/** Throws an Error with the reason. The previous model stays until the new one is complete. */
export async function addModel(dataDir: string, part: ModelPart, file: string, expectedSha256: string): Promise<void> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new Error(`There is no file ${file}.`);
  if (found.size > MOST_BYTES) throw new Error("The file is larger than 2 GB.");
  mkdirSync(folderIn(dataDir), { recursive: true, mode: 0o700 });
  const unfinished = `${fileOf(dataDir, part)}.new`;
  try {
    await copyFile(file, unfinished);
    // Verifies the copy, because the copy is what will be loaded.
    const sha256 = await sha256Of(unfinished);
    if (sha256 !== expectedSha256.toLowerCase())
      throw new Error(`The file has the SHA-256 ${sha256}, not the one given. Fetch it again.`);
    writeFileSync(noteOf(dataDir, part), JSON.stringify({ sha256, bytes: statSync(unfinished).size }), { mode: 0o600 });
    renameSync(unfinished, fileOf(dataDir, part));
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Returns whether it existed. */
export function removeModel(dataDir: string, part: ModelPart): boolean {
  const wasThere = existsSync(fileOf(dataDir, part));
  rmSync(fileOf(dataDir, part), { force: true });
  rmSync(noteOf(dataDir, part), { force: true });
  return wasThere;
}

export function addedModel(dataDir: string, part: ModelPart): Weights | null {
  const file = fileOf(dataDir, part);
  if (!existsSync(file) || !existsSync(noteOf(dataDir, part))) return null;
  const { sha256, bytes } = JSON.parse(readFileSync(noteOf(dataDir, part), "utf8")) as {
    sha256: string;
    bytes: number;
  };
  return { name: part, version: "added", bytes, sha256, licence: "NOASSERTION", origin: "brought by its user", file };
}

/** Null unless both parts exist. */
export function addedRecogniser(dataDir: string): AddedRecogniser | null {
  const [encoder, decoder] = [addedModel(dataDir, "recogniser-encoder"), addedModel(dataDir, "recogniser-decoder")];
  return encoder && decoder ? { encoder, decoder } : null;
}
