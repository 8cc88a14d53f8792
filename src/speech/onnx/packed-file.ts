// Reads a file that the build may have compressed; see scripts/packed-files.ts. Decompresses in memory: a copy on disk
// would need verification before each use, and SHA-256 takes longer than Zstandard.

/** Suffix of compressed files. */
export const PACKED = ".zst";

export async function unpacked(file: string): Promise<Uint8Array> {
  const content = await Bun.file(file).bytes();
  if (!file.endsWith(PACKED)) return content;
  const { buffer, byteOffset, byteLength } = await Bun.zstdDecompress(content);
  return new Uint8Array(buffer, byteOffset, byteLength);
}
