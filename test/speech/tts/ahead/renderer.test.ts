// The slow voice at work: its order, what it makes once, and what of it is ever on disk.
import { expect, test } from "bun:test";
import { createRenderer } from "../../../../src/speech/tts/ahead/renderer.ts";
import { soundKey, type SoundStore } from "../../../../src/speech/tts/ahead/sound-store.ts";
import { createManualClock } from "../../../support/manual-clock.ts";

function setStage(stored = new Map<string, Int16Array>()) {
  const clock = createManualClock();
  const said: string[] = [];
  const store: SoundStore = {
    get: (key) => stored.get(key) ?? null,
    put: (key, samples) => void stored.set(key, samples),
  };
  const renderer = createRenderer({
    clock,
    store,
    version: "1",
    async say(clause) {
      if (clause === "✗") throw new Error("There is nothing in this clause.");
      said.push(clause);
      return Int16Array.of(clause.length);
    },
  });
  return { clock, said, stored, renderer };
}

test("the most urgent is made first, whoever asked first", async () => {
  const { clock, said, renderer } = setStage();
  void renderer.render("stock", "alpha", "stock");
  void renderer.render("due", "alpha", "due");
  void renderer.render("next", "alpha", "next");
  void renderer.render("live", "alpha", "next");
  renderer.hurry("live", "alpha");
  await clock.advance(60_000);
  expect(said).toEqual(["live", "next", "due", "stock"]);
});

test("stock waits while a call may ask for more, and a call never waits for stock that waits", async () => {
  const { clock, said, renderer } = setStage();
  void renderer.render("hello", "alpha", "next");
  void renderer.render("stock", "alpha", "stock");
  await clock.advance(5_000);
  expect(said).toEqual(["hello"]);
  void renderer.render("again", "alpha", "next");
  await clock.advance(0);
  expect(said).toEqual(["hello", "again"]);
  await clock.advance(9_000);
  expect(said).toEqual(["hello", "again"]);
  await clock.advance(1_000);
  expect(said).toEqual(["hello", "again", "stock"]);
});

test("what is asked for twice is made once, and what was made is there at once", async () => {
  const { clock, said, renderer } = setStage();
  const both = [renderer.render("menu", "alpha", "due"), renderer.render("menu", "alpha", "next")];
  await clock.advance(0);
  expect(await Promise.all(both)).toEqual([Int16Array.of(4), Int16Array.of(4)]);
  expect(await renderer.render("menu", "alpha", "next")).toEqual(Int16Array.of(4));
  expect(said).toEqual(["menu"]);
  void renderer.render("menu", "psi", "next");
  await clock.advance(0);
  expect(said).toEqual(["menu", "menu"]);
});

test("words of a call are never on disk, and stock is, also where a call asked for it first", async () => {
  const { clock, stored, renderer } = setStage();
  void renderer.render("रमेश जी,", "alpha", "due");
  void renderer.render("रमेश शर्मा,", "alpha", "next");
  void renderer.render("नमस्ते।", "alpha", "next");
  await clock.advance(0);
  expect(stored.size).toBe(0);
  void renderer.render("नमस्ते।", "alpha", "stock");
  void renderer.render("धन्यवाद।", "alpha", "stock");
  await clock.advance(60_000);
  expect([...stored.keys()].toSorted()).toEqual(
    [soundKey("1", "alpha", "नमस्ते।"), soundKey("1", "alpha", "धन्यवाद।")].toSorted(),
  );
});

test("what is on disk is not made again", async () => {
  const stored = new Map([[soundKey("1", "alpha", "नमस्ते।"), Int16Array.of(7)]]);
  const { said, renderer } = setStage(stored);
  expect(await renderer.render("नमस्ते।", "alpha", "next")).toEqual(Int16Array.of(7));
  expect(said).toEqual([]);
});

test("what nobody wants any more is not made", async () => {
  const { clock, said, renderer } = setStage();
  const unwanted = new AbortController();
  const made = renderer.render("gone", "alpha", "next", unwanted.signal).catch((error: unknown) => error);
  unwanted.abort();
  await clock.advance(0);
  expect(await made).toEqual(new Error("Nobody wants to hear this clause any more."));
  expect(said).toEqual([]);
});

test("a clause that cannot be said costs nobody else theirs", async () => {
  const { clock, renderer } = setStage();
  const bad = renderer.render("✗", "alpha", "live").catch((error: unknown) => error);
  const good = renderer.render("ok", "alpha", "next");
  await clock.advance(0);
  expect(await bad).toEqual(new Error("There is nothing in this clause."));
  expect(await good).toEqual(Int16Array.of(2));
});
