// Recordings and captures in a backup: each file, as it is on the disk, sealed with the key of its person. The key is
// bound to the file's name, so a file under another name does not open.
import { closeSync, fstatSync, fsyncSync, lstatSync, openSync, readSync, renameSync, rmSync } from "node:fs";
import { createSecretBox } from "../../core/secret-box.ts";
import { openReadable, sealInto, type ReadableFile } from "../../core/sealed-file.ts";
import { HEAD_BYTES, LONG_FRAME_BYTES, readHead, SealedFileError } from "../../core/sealed-frames.ts";
import { eachChunk, writeAll } from "../archive/archive-file.ts";
import { BackupError } from "../archive/fault.ts";
import type { PersonKey } from "./person-keys.ts";

const keyOf = (person: Pick<PersonKey, "key">, name: string) =>
  createSecretBox(person.key).deriveKey(`backup-file/${name}`);

/** False if there is no such file, or not a regular one. */
export function sealFile(source: string, target: string, name: string, person: PersonKey): boolean {
  if (lstatSync(source, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const from = asItIs(source);
  if (!from) return false;
  try {
    const to = openSync(target, "w", 0o600);
    try {
      sealInto(to, 0, from, { keyId: person.id, key: keyOf(person, name), frameBytes: LONG_FRAME_BYTES });
      return true;
    } finally {
      closeSync(to);
    }
  } finally {
    from.close();
  }
}

/** The bytes on the disk, which may themselves be encrypted. */
function asItIs(path: string): ReadableFile | null {
  try {
    const fd = openSync(path, "r");
    return {
      bytes: fstatSync(fd).size,
      readInto: (buffer, at) => readSync(fd, buffer, 0, buffer.length, at),
      close: () => closeSync(fd),
    };
  } catch (error) {
    // Erased since the check.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** In place. False if the person is erased: the file is deleted. */
export function openFile(path: string, name: string, byId: (id: string) => PersonKey | undefined): boolean {
  const person = byId(keyIdOf(path, name));
  if (!person) {
    rmSync(path);
    return false;
  }
  const opened = `${path}.opened`;
  try {
    const from = openReadable(path, { byId: () => keyOf(person, name) });
    try {
      copyOut(from, opened);
    } finally {
      from.close();
    }
    renameSync(opened, path);
    return true;
  } catch (error) {
    throw error instanceof SealedFileError ? damaged(name, error.message) : error;
  }
}

function keyIdOf(path: string, name: string): string {
  const file = asItIs(path);
  const beginning = Buffer.alloc(HEAD_BYTES);
  try {
    file?.readInto(beginning, 0);
  } finally {
    file?.close();
  }
  const head = readHead(beginning);
  if (!head) throw damaged(name, "it is not sealed.");
  return head.keyId;
}

const damaged = (name: string, why: string) => new BackupError(`${name} in the backup is damaged: ${why}`);

function copyOut(from: ReadableFile, target: string): void {
  const to = openSync(target, "wx", 0o600);
  try {
    eachChunk(from, 0, from.bytes, (chunk, at) => writeAll(to, chunk, at));
    fsyncSync(to);
  } finally {
    closeSync(to);
  }
}
