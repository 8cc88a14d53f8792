// Sounds on disk, so that what took minutes to make is there at the next start. Only stock is ever put here: lines that say
// nothing of any person. What was used longest ago goes first when there is too much.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../../core/clock.ts";

/** An hour of speech. */
export const MOST_STORED_BYTES = 64 * 1024 * 1024;
/** Before the samples stands their SHA-256. */
const CHECKSUM_BYTES = 32;
const NAME = /^[0-9a-f]{64}\.pcm$/;

export interface SoundStore {
  get(key: string): Int16Array | null;
  /** Where it cannot be written it is not kept. */
  put(key: string, samples: Int16Array): void;
}

/** By what it was made of: a change of any of them is another sound. */
export function soundKey(...madeOf: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(madeOf)).digest("hex");
}

export function createSoundStore(folder: string, clock: Clock, mostBytes = MOST_STORED_BYTES): SoundStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  /** In the order of their last use: a Map keeps it. */
  const bytesOf = new Map(filesIn(folder));
  let total = [...bytesOf.values()].reduce((sum, bytes) => sum + bytes, 0);
  const pathOf = (key: string) => join(folder, `${key}.pcm`);

  function forget(key: string): void {
    total -= bytesOf.get(key) ?? 0;
    bytesOf.delete(key);
    rmSync(pathOf(key), { force: true });
  }

  function noteUse(key: string, bytes: number): void {
    total += bytes - (bytesOf.get(key) ?? 0);
    bytesOf.delete(key);
    bytesOf.set(key, bytes);
  }

  return {
    get(key) {
      const bytes = bytesOf.get(key);
      if (bytes === undefined) return null;
      const samples = readChecked(pathOf(key));
      if (!samples) {
        forget(key);
        return null;
      }
      const seconds = clock.now() / 1_000;
      utimesSync(pathOf(key), seconds, seconds);
      noteUse(key, bytes);
      return samples;
    },
    put(key, samples) {
      const content = withChecksum(samples);
      if (content.byteLength > mostBytes) return;
      writeFileSync(`${pathOf(key)}.new`, content, { mode: 0o600 });
      renameSync(`${pathOf(key)}.new`, pathOf(key));
      noteUse(key, content.byteLength);
      for (const oldest of bytesOf.keys()) {
        if (total <= mostBytes) break;
        forget(oldest);
      }
    },
  };
}

/** The ones used longest ago first. What is no sound of ours, such as a half-written one, goes. */
function filesIn(folder: string): [key: string, bytes: number][] {
  return readdirSync(folder)
    .flatMap((name) => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false });
      if (NAME.test(name) && found?.isFile()) return [{ name, usedAt: found.mtimeMs, bytes: found.size }];
      rmSync(join(folder, name), { recursive: true, force: true });
      return [];
    })
    .toSorted((a, b) => a.usedAt - b.usedAt)
    .map(({ name, bytes }) => [name.slice(0, -".pcm".length), bytes]);
}

const checksumOf = (samples: Uint8Array): Uint8Array => createHash("sha256").update(samples).digest();

function withChecksum(samples: Int16Array): Uint8Array {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  const content = new Uint8Array(CHECKSUM_BYTES + bytes.length);
  content.set(checksumOf(bytes));
  content.set(bytes, CHECKSUM_BYTES);
  return content;
}

/** Null where it is gone or damaged: it is made again. */
function readChecked(path: string): Int16Array | null {
  if (!statSync(path, { throwIfNoEntry: false })) return null;
  const content = readFileSync(path);
  const samples = new Uint8Array(content.subarray(CHECKSUM_BYTES));
  const isWhole = samples.length > 0 && samples.length % 2 === 0;
  return isWhole && Buffer.compare(checksumOf(samples), content.subarray(0, CHECKSUM_BYTES)) === 0
    ? new Int16Array(samples.buffer)
    : null;
}
