// Compresses what goes into the executable as a file. The result is kept in .tools/packed by the content's checksum,
// because it takes half a minute for all of them.
import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { basename, join } from "node:path";
import { PACKED } from "../src/speech/onnx/packed-file.ts";

/** Above it, weights gain next to nothing, and take three times as long. */
const LEVEL = 12;
/** What gains less, such as a ZIP, stays as it is. */
const LEAST_GAIN = 0.05;

let written = 0;

/** Where the file lies that goes into the executable in the place of this one. */
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
