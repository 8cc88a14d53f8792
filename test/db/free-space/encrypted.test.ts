// The same in an encrypted file, whose pages are decrypted here to look for the rows.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { pageCipher, PAGE_BYTES } from "../../../src/db/sqlite/cipher.ts";
import { openWriter } from "../../../src/db/sqlite/connection.ts";
import { put, remove, Stage, type Run } from "./stage.ts";

const KEY = new Uint8Array(32).fill(9);
const PEOPLE = 600;
const everybody = Array.from({ length: PEOPLE }, (_, id) => id);
const cipher = pageCipher(KEY);

let stage: Stage;
let run: Run;
beforeEach(() => {
  stage = new Stage(KEY);
  run = stage.begin();
});
afterEach(() => run.close());

/** Rows that grow after they were written: pages are rebuilt, and old copies stay in their free space. */
function fill(): void {
  run.writer.transaction(() => {
    for (const id of everybody) put(run.writer, (id * 37) % PEOPLE, (id * 31) % 300);
    for (const id of everybody) put(run.writer, (id * 41) % PEOPLE, (id * 53) % 700);
  })();
}

/** All people in the pages of the file, as SQLite sees them. */
function people(): Set<number> {
  const bytes = readFileSync(stage.file);
  const count = bytes.length / PAGE_BYTES;
  const pages = Array.from({ length: count }, (_, at) => cipher.open(bytes, at * PAGE_BYTES, at + 1));
  const text = Buffer.concat(pages).toString("latin1");
  return new Set([...text.matchAll(/<person (\d+)>/g)].map(([, id]) => Number(id)));
}

const leftOf = (ids: readonly number[]) => ids.filter((id) => people().has(id));

test("a wipe removes erased rows from the decrypted pages, and the file stays sound", async () => {
  fill();
  expect(await run.upkeep.wipe()).toBeTrue();
  for (const ids of [everybody.slice(0, 200), everybody.slice(200, 400)]) {
    fill();
    remove(run.writer, everybody.slice(0, ids.at(-1)! + 1));
    expect(await run.upkeep.truncateWal()).toBeTrue();
    // Otherwise the test would prove nothing.
    expect(leftOf(ids).length).toBeGreaterThan(0);
    expect(await run.upkeep.wipe()).toBeTrue();
    expect(leftOf(ids)).toEqual([]);
  }
  expect(run.upkeep.stats.looksThroughFile).toBe(1);
  expect(run.writer.pragma("integrity_check", { simple: true })).toBe("ok");
  expect(existsSync(`${stage.file}-wipe`)).toBeFalse();
  expect(stage.peopleInBytes().size).toBe(0);
  expect(run.writer.prepare("SELECT count(*) FROM people").pluck().get()).toBe(200);
});

test("the first wipe looks through the whole file", async () => {
  fill();
  remove(run.writer, everybody.slice(0, 300));
  await run.close();
  // Opened by something that keeps no list of the pages.
  const other = openWriter(stage.file, KEY);
  remove(other, everybody.slice(300, 400));
  other.pragma("wal_checkpoint(TRUNCATE)");
  other.close();
  run = stage.begin();
  expect(await run.upkeep.wipe()).toBeTrue();
  expect(run.upkeep.stats.looksThroughFile).toBe(1);
  expect(leftOf(everybody.slice(0, 400))).toEqual([]);
  expect(people().size).toBe(200);
});
