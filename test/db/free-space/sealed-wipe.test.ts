// Pages of an encrypted file that were written beside it first: repaired after a power loss, and never written over
// later commits.
import { beforeEach, expect, test } from "bun:test";
import { closeSync, existsSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { pageCipher, PAGE_BYTES } from "../../../src/db/sqlite/cipher.ts";
import { openWriter } from "../../../src/db/sqlite/connection.ts";
import { finishWipe, rewritePages, type NewPage } from "../../../src/db/sqlite/free-space/sealed-wipe.ts";
import { put, Stage } from "./stage.ts";

const KEY = new Uint8Array(32).fill(9);
const PEOPLE = 200;
const cipher = pageCipher(KEY);

let stage: Stage;
beforeEach(() => {
  stage = new Stage(KEY);
  changed(100);
});

const beside = () => `${stage.file}-wipe`;

/** One commit, moved into the file. */
function changed(length: number): void {
  const writer = openWriter(stage.file, KEY);
  writer.transaction(() => {
    for (let id = 0; id < PEOPLE; id++) put(writer, id, length);
  })();
  writer.close();
}

/** The lengths of the texts, if the file is sound. */
function found(): unknown[] {
  const writer = openWriter(stage.file, KEY);
  try {
    expect(writer.pragma("integrity_check", { simple: true })).toBe("ok");
    return writer.prepare("SELECT DISTINCT length(words) - length(name) - 1 FROM people").pluck().all();
  } finally {
    writer.close();
  }
}

/** The same pages, encrypted again. */
function again(numbers?: number[]): NewPage[] {
  const bytes = readFileSync(stage.file);
  const all = Array.from({ length: bytes.length / PAGE_BYTES }, (_, i) => i + 1);
  return (numbers ?? all).map((number) => {
    const at = (number - 1) * PAGE_BYTES;
    const before = Buffer.from(bytes.subarray(at, at + PAGE_BYTES));
    return { number, before, bytes: cipher.seal(cipher.open(before, 0, number), before, number) };
  });
}

const rejected = () => Promise.reject(new Error("EIO: the disk"));

async function rewrite(pages: readonly NewPage[], sync: () => Promise<void> = async () => {}): Promise<void> {
  const fd = openSync(stage.file, "r+");
  try {
    await rewritePages(stage.file, { fd, sync }, pages);
  } finally {
    closeSync(fd);
  }
}

/** The first half is new, the rest as before. */
function tear({ number, before, bytes }: NewPage): void {
  const fd = openSync(stage.file, "r+");
  const torn = Buffer.concat([bytes.subarray(0, PAGE_BYTES / 2), before.subarray(PAGE_BYTES / 2)]);
  writeSync(fd, torn, 0, PAGE_BYTES, (number - 1) * PAGE_BYTES);
  closeSync(fd);
}

test("after a failure nothing undoes the commits that follow", async () => {
  await expect(rewrite(again(), rejected)).rejects.toThrow("EIO");
  expect(existsSync(beside())).toBeTrue();
  changed(300);
  finishWipe(stage.file);
  expect(found()).toEqual([300]);
  expect(existsSync(beside())).toBeFalse();
});

test("a file beside the database that comes back after it was removed undoes nothing", async () => {
  let kept = Buffer.alloc(0);
  await rewrite(again(), async () => void (kept = readFileSync(beside())));
  changed(300);
  writeFileSync(beside(), kept);
  finishWipe(stage.file);
  expect(found()).toEqual([300]);
});

test("pages that a power loss left half written are written again at the next start", async () => {
  const pages = again();
  await expect(rewrite(pages, rejected)).rejects.toThrow("EIO");
  for (const page of pages) tear(page);
  finishWipe(stage.file);
  expect(found()).toEqual([100]);
});

test("the next wipe first repairs what the last one left half written", async () => {
  const pages = again();
  await expect(rewrite(pages, rejected)).rejects.toThrow("EIO");
  for (const page of pages.slice(1)) tear(page);
  await rewrite(again([1]));
  expect(found()).toEqual([100]);
  expect(existsSync(beside())).toBeFalse();
});

test("a file beside the database that was cut off changes nothing", async () => {
  let kept = Buffer.alloc(0);
  await rewrite(again(), async () => void (kept = readFileSync(beside())));
  const before = readFileSync(stage.file);
  writeFileSync(beside(), kept.subarray(0, kept.length / 2));
  finishWipe(stage.file);
  expect(readFileSync(stage.file)).toEqual(before);
  expect(existsSync(beside())).toBeFalse();
});
