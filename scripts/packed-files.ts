// Compresses files for embedding. Results are cached in .tools/packed by checksum, because compressing all of them
// takes half a minute.
import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { PACKED } from "../src/speech/onnx/packed-file.ts";

/** Higher levels hardly shrink weights further and take three times as long. */
const LEVEL = 12;
/** Files that gain less, such as a ZIP, stay uncompressed. */
const LEAST_GAIN = 0.05;

let written = 0;

/** Maps a file to the file embedded in its place. */
export type Inside = (file: string) => string;

export async function packFiles(root: string, files: readonly string[]): Promise<Inside> {
  const folder = join(root, ".tools/packed");
  await mkdir(folder, { recursive: true });
  const packed = new Map<string, string>();
  for (const file of files) packed.set(file, await packFile(folder, file));
  return (file) => packed.get(file) ?? file;
}

async function packFile(folder: string, file: string): Promise<string> {
  const content = await Bun.file(file).bytes();
  const checksum = new Bun.CryptoHasher("sha256").update(content).digest("hex");
  const path = join(folder, `${basename(file)}-${checksum.slice(0, 16)}-${LEVEL}${PACKED}`);
  if (!existsSync(path)) {
    const unfinished = `${path}.${process.pid}-${++written}`;
    await Bun.write(unfinished, await Bun.zstdCompress(content, { level: LEVEL }));
    await rename(unfinished, path);
  }
  return Bun.file(path).size < content.byteLength * (1 - LEAST_GAIN) ? path : file;
}
