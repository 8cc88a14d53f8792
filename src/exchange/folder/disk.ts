// The folder of a source on disk. Files arrive in it, are claimed by a rename into `working`, and end in `done` or
// `faulty`. Symbolic links are not followed: a sender must not reach other files of the machine.
import { constants, type Stats } from "node:fs";
import { access, lstat, mkdir, open, opendir, realpath, rename, unlink, type FileHandle } from "node:fs/promises";
import { extname, join } from "node:path";
import { isSafeText } from "../../core/names.ts";
import { MOST_LIST_BYTES } from "../../lists/table.ts";
import type { FolderProblem } from "../../payloads/source-file.ts";

export interface FolderPaths {
  incoming: string;
  working: string;
  done: string;
  faulty: string;
}

/** A folder that cannot be used. */
export class FolderFault extends Error {
  constructor(readonly problem: FolderProblem) {
    super(`The folder of a source cannot be used: ${problem}.`);
  }
}

const READABLE = [".csv", ".xlsx", ".txt", ".tsv"];
/** More entries are not looked at; the oldest among those are read first. */
export const MOST_ENTRIES = 2_000;
const LONGEST_NAME = 200;
const CHUNK_BYTES = 256 * 1024;
/** Senders may belong to the group. */
const FOLDER_MODE = 0o770;

/** `root/ORGANISATION/FOLDER`: an organisation cannot name a folder of another one. */
export const pathOf = (root: string, organisationId: string, folder: string): string =>
  join(root, organisationId, folder);

/** Makes the folders that are missing. Throws a FolderFault. */
export async function openFolder(root: string, organisationId: string, folder: string): Promise<FolderPaths> {
  if (root === "") throw new FolderFault("not_allowed");
  const real = await realpath(root).catch(() => {
    throw new FolderFault("not_there");
  });
  const incoming = pathOf(real, organisationId, folder);
  const paths = { incoming, ...placesIn(incoming) };
  for (const path of [join(real, organisationId), ...Object.values(paths)]) await ensureFolder(path);
  for (const path of Object.values(paths))
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK).catch(() => {
      throw new FolderFault("not_writable");
    });
  return paths;
}

const placesIn = (incoming: string) => ({
  working: join(incoming, "working"),
  done: join(incoming, "done"),
  faulty: join(incoming, "faulty"),
});

async function ensureFolder(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found?.isDirectory()) return;
  if (found) throw new FolderFault("not_allowed");
  await mkdir(path, { mode: FOLDER_MODE }).catch((error: unknown) => {
    throw isFull(error) ? error : new FolderFault("not_writable");
  });
}

export interface Entry {
  name: string;
  size: number;
  modifiedMs: number;
  /** Changes when the file is replaced. */
  fingerprint: string;
}

/** Readable files, the oldest first. `isMore`: entries were left out. */
export async function filesIn(folder: string): Promise<{ files: Entry[]; isMore: boolean }> {
  const files: Entry[] = [];
  let seen = 0;
  for await (const { name } of await opendir(folder)) {
    if (++seen > MOST_ENTRIES) return { files: files.toSorted(byAge), isMore: true };
    if (!isReadable(name)) continue;
    const found = await lstat(join(folder, name)).catch(() => null);
    if (!found?.isFile()) continue;
    files.push({ name, size: found.size, modifiedMs: found.mtimeMs, fingerprint: fingerprintOf(found) });
  }
  return { files: files.toSorted(byAge), isMore: false };
}

const fingerprintOf = ({ dev, ino, size, mtimeMs }: Stats): string => `${dev}:${ino}:${size}:${mtimeMs}`;

/** Null if the file is gone. */
export const fingerprintAt = (path: string): Promise<string | null> => lstat(path).then(fingerprintOf, () => null);

const byAge = (one: Entry, other: Entry) =>
  one.modifiedMs - other.modifiedMs || (one.name < other.name ? -1 : Number(one.name > other.name));

/** Programs write under another name first: `list.csv.part`, `.list.csv`, `~list.xlsx`. */
function isReadable(name: string): boolean {
  const isHidden = name.startsWith(".") || name.startsWith("~");
  return !isHidden && name.length <= LONGEST_NAME && READABLE.includes(extname(name).toLowerCase());
}

/** Null if the file is gone, or is another one by now: it was renamed, deleted or replaced meanwhile. */
export async function claim({ incoming, working }: FolderPaths, { name, fingerprint }: Entry): Promise<string | null> {
  const claimed = isSafeText(name) && name.isWellFormed() ? name : `list${extname(name).toLowerCase()}`;
  const [from, to] = [join(incoming, name), join(working, claimed)];
  if (!(await move(from, to))) return null;
  const isSame = (await fingerprintAt(to)) === fingerprint;
  // Its writer has begun again: it waits like any other file.
  return isSame || (await exists(from)) || !(await move(to, from)) ? claimed : null;
}

export interface ReadBytes {
  bytes: Uint8Array;
  fingerprint: string;
}

/** `look` receives each part. Null if the file is gone; `changing` if it is still being written. */
export async function readWhole(
  folder: string,
  name: string,
  look: (part: Uint8Array) => void,
): Promise<ReadBytes | "changing" | "too_large" | null> {
  const path = join(folder, name);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: unknown) => {
    // A sender of another user has to let us read its files.
    if (codeOf(error) === "EACCES") throw new FolderFault("not_writable");
    return null;
  });
  if (!file) return null;
  try {
    const before = await file.stat();
    if (!before.isFile() || (await realpath(path).catch(() => null)) !== path) return null;
    if (before.size > MOST_LIST_BYTES) return "too_large";
    const bytes = await partsOf(file, before.size, look);
    const after = await file.stat();
    const fingerprint = fingerprintOf(before);
    return fingerprintOf(after) === fingerprint && bytes.length === before.size ? { bytes, fingerprint } : "changing";
  } finally {
    await file.close();
  }
}

/** In parts, because hashing 10 MiB at once would block other requests. */
async function partsOf(file: FileHandle, size: number, look: (part: Uint8Array) => void): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await file.read(bytes, length, Math.min(CHUNK_BYTES, size - length), length);
    if (bytesRead === 0) break;
    look(bytes.subarray(length, length + bytesRead));
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

/** `list.csv` received at a time → `done/list.20261119T031500Z.csv`, so that the next `list.csv` has room. */
export async function freePlace(
  { incoming }: FolderPaths,
  place: "done" | "faulty",
  name: string,
  stamp: string,
): Promise<string> {
  const extension = extname(name);
  const stem = shortened(name.slice(0, name.length - extension.length));
  for (let count = 1; ; count++) {
    const path = join(place, `${stem}.${stamp}${count === 1 ? "" : `.${count}`}${extension}`);
    if (!(await exists(join(incoming, path)))) return path;
  }
}

/** File systems allow 255 bytes, and a letter of an Indian script takes three. */
const LONGEST_STEM_BYTES = 180;

function shortened(stem: string): string {
  let short = stem;
  while (Buffer.byteLength(short) > LONGEST_STEM_BYTES) short = short.slice(0, -1);
  return short.isWellFormed() ? short : short.slice(0, -1);
}

export const faultsBeside = (place: string): string => place.slice(0, -extname(place).length) + ".faults.csv";

/** Whole or not at all, and on disk when this returns. */
export async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const unfinished = `${path}.tmp`;
  await unlink(unfinished).catch(() => {});
  const file = await open(unfinished, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o660);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } catch (error) {
    await unlink(unfinished).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}

/** False if the file is gone. */
export async function move(from: string, to: string): Promise<boolean> {
  return rename(from, to).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
}

export const remove = (path: string): Promise<boolean> =>
  unlink(path).then(
    () => true,
    () => false,
  );

export const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;
const isMissing = (error: unknown): boolean => codeOf(error) === "ENOENT";
export const isFull = (error: unknown): boolean => ["ENOSPC", "EDQUOT"].includes(String(codeOf(error)));
