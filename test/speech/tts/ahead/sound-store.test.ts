import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSoundStore, soundKey } from "../../../../src/speech/tts/ahead/sound-store.ts";
import { createManualClock } from "../../../support/manual-clock.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "ringward-sounds-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const clock = createManualClock();
const sound = (length: number) => Int16Array.from({ length }, (_, i) => i);
const key = (name: string) => soundKey("1", "alpha", name);

test("what was put is there at the next start, under a name that tells nothing", () => {
  createSoundStore(folder, clock).put(key("नमस्ते"), sound(100));
  expect(createSoundStore(folder, clock).get(key("नमस्ते"))).toEqual(sound(100));
  expect(readdirSync(folder)).toEqual([`${key("नमस्ते")}.pcm`]);
});

test("another voice, text or version is another sound", () => {
  const keys = [
    soundKey("1", "alpha", "x"),
    soundKey("2", "alpha", "x"),
    soundKey("1", "psi", "x"),
    soundKey("1", "a", "b"),
  ];
  expect(new Set([...keys, soundKey("1", "ab", "")]).size).toBe(5);
});

test("it never holds more than it may: what was used longest ago goes, at the next start too", async () => {
  const most = 3 * (200 + 32);
  const store = createSoundStore(folder, clock, most);
  for (const name of ["a", "b", "c"]) store.put(key(name), sound(100));
  await clock.advance(2_000);
  store.get(key("a"));
  store.put(key("d"), sound(100));
  const left = (from: typeof store) => ["a", "b", "c", "d"].filter((name) => from.get(key(name)) !== null);
  expect(left(store)).toEqual(["a", "c", "d"]);
  expect(readdirSync(folder)).toHaveLength(3);
  createSoundStore(folder, clock, most).put(key("e"), sound(10_000));
  expect(readdirSync(folder)).toHaveLength(3);
});

test("a damaged sound is made again, and half-written files are taken away", () => {
  const file = join(folder, `${key("a")}.pcm`);
  createSoundStore(folder, clock).put(key("a"), sound(100));
  const content = readFileSync(file);
  content[50] = (content[50] ?? 0) ^ 1;
  writeFileSync(file, content);
  writeFileSync(`${file}.new`, "half");
  const store = createSoundStore(folder, clock);
  expect(store.get(key("a"))).toBeNull();
  expect(readdirSync(folder)).toEqual([]);
});
