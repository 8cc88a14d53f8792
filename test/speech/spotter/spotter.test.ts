// Spotting of alarm phrases with the real model: rendered voices through µ-law.
import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bringPack } from "../../../scripts/bring-packs.ts";
import { decodeG711, encodeG711 } from "../../../src/audio/g711.ts";
import { loadRuntime } from "../../../src/speech/onnx/runtime.ts";
import { readWeights } from "../../../src/speech/onnx/weights.ts";
import { availablePacks } from "../../../src/speech/packs/packs.ts";
import { isDenied } from "../../../src/speech/spotter/denied.ts";
import { serveSpotter } from "../../../src/speech/spotter/role.ts";
import {
  ALARMS,
  alarmsIn,
  GRAMMAR,
  loadSpotter,
  nearAlarmsIn,
  type Spotter,
} from "../../../src/speech/spotter/spotter.ts";
import { NOTHING_SPOTTED } from "../../../src/speech/spotter/spotters.ts";
import { filesInZip } from "../../../src/speech/spotter/zip.ts";
import { loadNeuralVoice, type Synthesise } from "../../../src/speech/tts/neural/load.ts";
import type { VoiceName } from "../../../src/speech/tts/voices.ts";
import { spoken } from "../spoken.ts";

let spotter: Spotter;
let speak: Synthesise;
let model: Uint8Array;
beforeAll(async () => {
  await bringPack("phrase-spotter");
  model = await readWeights(availablePacks("")["phrase-spotter"]!.model);
  spotter = await loadSpotter(model);
  speak = await loadNeuralVoice(await loadRuntime(""));
}, 240_000);

const linesOf = (file: string) =>
  readFileSync(join(import.meta.dir, "../../../scripts", file), "utf8")
    .trim()
    .split("\n");
const said = (sentence: string, voice: VoiceName) => {
  const samples = speak(sentence, voice);
  return decodeG711(encodeG711(samples, "PCMU"), "PCMU");
};

describe("the real spotter", () => {
  test("knows every word that it listens for", () => {
    const vocabulary = new Set(
      new TextDecoder()
        .decode(filesInZip(model).get("graph/words.txt"))
        .split("\n")
        .map((line) => line.split(/\s/)[0]),
    );
    const words = GRAMMAR.flatMap((phrase) => phrase.split(" "));
    expect(words.filter((word) => !vocabulary.has(word))).toEqual([]);
  });

  test("spots phrases garbled by the recogniser, deterministically", async () => {
    const samples = await spoken("i-have-chest-pain");
    expect(spotter.spot(samples)).toEqual({ alarms: ["chest pain"], near: [] });
    expect(spotter.hear(samples)).toEqual(spotter.hear(samples));
  });

  test("spots most cries for help in several voices", () => {
    // Every fourth phrase, each in another voice; scripts/alarm-phrases covers all.
    const cries = linesOf("alarm-sentences.txt").filter((_, at) => at % 4 === 0);
    const voices: readonly VoiceName[] = ["heart", "michael", "emma"];
    const missed = cries.filter((cry, at) => spotter.spot(said(cry, voices[at % 3]!)).alarms.length === 0);
    expect(missed.length).toBeLessThanOrEqual(1);
  });

  test("spots nothing in everyday sentences, silence, noise or beeps", () => {
    const everyday = linesOf("callee-sentences.txt").filter((line, at) => at % 5 === 0 && !line.includes("chest pain"));
    for (const line of everyday) expect([line, spotter.spot(said(line, "michael"))]).toEqual([line, NOTHING_SPOTTED]);
    // In this voice it was spotted as unconscious.
    expect(spotter.spot(said("Yes, this is Akash.", "emma"))).toEqual(NOTHING_SPOTTED);
    const beep = Int16Array.from({ length: 8_000 }, (_, at) => 8_000 * Math.sin((at * 2 * Math.PI * 1_000) / 8_000));
    const noise = Int16Array.from({ length: 8_000 }, (_, at) => ((at * 7_919) % 4_001) - 2_000);
    for (const sound of [beep, noise, new Int16Array(8_000), new Int16Array(0)])
      expect(spotter.spot(sound)).toEqual(NOTHING_SPOTTED);
  });
});

const heard = (words: string, confidence = 1) =>
  words.split(" ").map((word) => ({ word, confidence, fromSeconds: 0, toSeconds: 0 }));

describe("of what it heard", () => {
  test("a likely phrase or a single word of danger leads to a question", () => {
    expect(nearAlarmsIn(heard("[unk] chest pain", 0.5))).toEqual(["chest pain"]);
    expect(nearAlarmsIn(heard("[unk] bleeding [unk]", 0.7))).toEqual(["bleeding"]);
    expect(nearAlarmsIn(heard("[unk] bleeding [unk]", 0.5))).toEqual([]);
    expect(nearAlarmsIn(heard("before the blood test"))).toEqual([]);
    expect(nearAlarmsIn(heard("i do not have [unk]"))).toEqual([]);
  });

  test("a complete phrase is an alarm, a partial or doubtful one is not", () => {
    expect(alarmsIn(heard("[unk] i have chest pain [unk]"))).toEqual(["chest pain"]);
    expect(alarmsIn(heard("chest [unk] pain"))).toEqual([]);
    expect(alarmsIn(heard("chest pain", 0.4))).toEqual([]);
    expect(alarmsIn(heard("heart attack chest pain")).toSorted()).toEqual(["chest pain", "heart attack"]);
    for (const alarm of ALARMS) expect(alarmsIn(heard(alarm))).toContain(alarm);
  });

  test("everyday sound-alikes are not alarms", () => {
    expect(alarmsIn(heard("yes this is unconscious"))).toEqual([]);
    expect(alarmsIn(heard("[unk] this is unconscious [unk]"))).toEqual([]);
    expect(alarmsIn(heard("this is unconscious he is unconscious"))).toEqual(["is unconscious"]);
    expect(alarmsIn(heard("this is an emergency"))).toEqual(["is an emergency"]);
  });

  test("a denied phrase is not an alarm", () => {
    expect(alarmsIn(heard("i do not have chest pain"))).toEqual([]);
    expect(isDenied("I do not have any chest pain.", "chest pain")).toBe(true);
    expect(isDenied("No chest pain today", "chest pain")).toBe(true);
    expect(isDenied("He isn't short of breath", "short of breath")).toBe(true);
    // Another clause, nothing before it, or the phrase is not in the words.
    expect(isDenied("No. Chest pain!", "chest pain")).toBe(false);
    expect(isDenied("No, I have chest pain", "chest pain")).toBe(false);
    expect(isDenied("Not breathing", "not breathing")).toBe(false);
    expect(isDenied("I do not have just pain", "chest pain")).toBe(false);
  });
});

test("a failing spotter reports it and ends, so that a new thread replaces it", () => {
  const told: unknown[] = [];
  let hear = (_event: { data: { id: number; samples: Int16Array } }): void => {};
  const port = {
    addEventListener: (_type: "message", listener: typeof hear) => void (hear = listener),
    start() {},
    postMessage: (message: unknown) => void told.push(message),
  };
  const busy: number[] = [];
  const role = { workwatch: () => () => 7, spotted: (tookMs: number) => void busy.push(tookMs) };
  const spot = (samples: Int16Array) => {
    if (samples.length === 0) throw new RangeError("Out of memory");
    return { alarms: ["chest pain"], near: [] };
  };
  serveSpotter(port as unknown as MessagePort, spot, role);
  hear({ data: { id: 1, samples: new Int16Array(1) } });
  expect(() => hear({ data: { id: 2, samples: new Int16Array(0) } })).toThrow("Out of memory");
  expect(told).toEqual([
    { id: 1, alarms: ["chest pain"], near: [] },
    { id: 2, error: "Out of memory" },
  ]);
  expect(busy).toEqual([7]);
});

test("an invalid, truncated or damaged zip is rejected", () => {
  expect(() => filesInZip(new Uint8Array(100))).toThrow("not a zip");
  expect(() => filesInZip(model.slice(0, -100))).toThrow("not a zip");
  const damaged = model.slice();
  damaged.set([0, 0, 0, 0], new DataView(model.buffer, model.byteOffset).getUint32(model.length - 6, true));
  expect(() => filesInZip(damaged)).toThrow("damaged");
});
