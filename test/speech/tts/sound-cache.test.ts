import { expect, test } from "bun:test";
import { createSoundCache } from "../../../src/speech/tts/sound-cache.ts";

const sound = (samples = 10) => new Int16Array(samples);

test("the least recently used sound is evicted first", () => {
  const cache = createSoundCache({ mostSentences: 2, mostBytes: 1_000 });
  cache.set("menu", sound());
  cache.set("greeting", sound());
  cache.get("menu");
  cache.set("goodbye", sound());
  expect(["menu", "greeting", "goodbye"].map((each) => cache.get(each) !== undefined)).toEqual([true, false, true]);
});

test("long sounds evict as many as their bytes need", () => {
  const cache = createSoundCache({ mostSentences: 100, mostBytes: 100 });
  cache.set("a", sound(20));
  cache.set("b", sound(20));
  cache.set("b", sound(20));
  expect(cache.get("a")).toBeDefined();
  cache.set("c", sound(40));
  expect(["a", "b", "c"].map((each) => cache.get(each) !== undefined)).toEqual([false, false, true]);
  cache.set("too long for it", sound(51));
  expect(cache.get("too long for it")).toBeUndefined();
});
