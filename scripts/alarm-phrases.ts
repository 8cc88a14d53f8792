// Forty cries for help and 119 everyday sentences, in several voices, over µ-law and with noise: how many of the first are heard
// by the phrase spotter, by the recogniser with the rules for text, and by both together; how many of the second are taken
// for one; how long after the end of the words each knows, on a thread that has nothing else to do; and what it costs. Voices: the
// built-in ones, and festival's where it is installed. `--most N`: so many sentences of each kind, to try it.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { decodeG711, encodeG711 } from "../src/audio/g711.ts";
import { withLessNoise } from "../src/speech/asr/less-noise.ts";
import { loadMoonshine } from "../src/speech/asr/moonshine.ts";
import { forRecogniser } from "../src/speech/asr/utterance.ts";
import { loadRuntime } from "../src/speech/onnx/runtime.ts";
import { readWeights } from "../src/speech/onnx/weights.ts";
import { availablePacks } from "../src/speech/packs/packs.ts";
import { alarmsIn, loadSpotter } from "../src/speech/spotter/spotter.ts";
import { understand } from "../src/voice/understanding/understand.ts";
import { inRoom, roomNamed } from "../test/support/patient/room.ts";
import { patientVoice } from "../test/support/patient/voices.ts";
import { CLINIC_SENTENCES } from "./clinic-sentences.ts";

const { values: options } = parseArgs({
  options: {
    voices: { type: "string", default: `heart,michael,emma,alpha${Bun.which("text2wave") ? ",slt" : ""}` },
    noise: { type: "string", default: "clean,20,10" },
    most: { type: "string", default: "1000" },
    show: { type: "boolean", default: false },
  },
});
const most = Number(options.most);
const linesOf = async (file: string) => (await Bun.file(join(import.meta.dir, file)).text()).trim().split("\n");
const alarming = (await linesOf("alarm-sentences.txt")).slice(0, most);
const everyday = [
  ...(await linesOf("callee-sentences.txt")).filter((line) => !line.includes("chest pain")),
  ...CLINIC_SENTENCES.map(({ written }) => written),
].slice(0, most);

const pack = availablePacks("")["phrase-spotter"];
if (!pack) throw new Error("The phrase spotter is missing: bun scripts/bring-packs.ts");
const runtime = await loadRuntime("");
const [moonshine, spotter] = [await loadMoonshine(runtime), await loadSpotter(await readWeights(pack.model))];
moonshine.rehearse();
spotter.rehearse();

const ASKED_ANYTHING = {
  expecting: "anything",
  offers: [],
  today: "2026-03-02",
  nowTime: "10:00",
  lastOffered: null,
  language: "en",
} as const;
const isAlarmInText = (text: string) =>
  understand(text, ASKED_ANYTHING).intents.some(
    ({ intent, confidence }) => intent === "emergency" && confidence >= 0.45,
  );
const percent = (part: number, all: number) => `${((100 * part) / all).toFixed(1)} %`;

function shareBelow(share: number, times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return String(Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0));
}

/** What a sentence came to in one ear. */
interface Heard {
  isSpotted: boolean;
  isRead: boolean;
  spotterMs: number;
  textMs: number;
  cpuMs: number;
}

function hear(sentence: string, samples: Int16Array): Heard {
  const before = { cpu: process.cpuUsage(), atMs: performance.now() };
  const heard = spotter.hear(samples);
  const { user, system } = process.cpuUsage(before.cpu);
  const spottedAtMs = performance.now();
  const isSpotted = alarmsIn(heard).length > 0;
  const { text } = moonshine.transcribe(forRecogniser(withLessNoise(samples)));
  const isRead = isAlarmInText(text);
  const textMs = performance.now() - spottedAtMs;
  const isMeant = alarming.includes(sentence);
  if (options.show && (isMeant !== isSpotted || isMeant !== isRead)) {
    const words = heard.map(({ word, confidence }) => `${word} ${confidence.toFixed(2)}`).join(" ");
    console.log(`  ${isSpotted ? "spotted" : "-"} ${isRead ? "read" : "-"}: ${sentence} | ${text} | ${words}`);
  }
  return { isSpotted, isRead, spotterMs: spottedAtMs - before.atMs, textMs, cpuMs: (user + system) / 1_000 };
}

const WIDTHS = [8, 5, 8, 8, 8, 10, 10, 10, 15, 15, 12];
const row = (cells: readonly string[]) =>
  cells.map((cell, i) => (i < 2 ? cell.padEnd(WIDTHS[i] ?? 0) : cell.padStart(WIDTHS[i] ?? 0))).join(" ");

const harmless = everyday.filter((sentence) => !isAlarmInText(sentence));
console.log(`${alarming.length} cries for help: heard by the spotter, by the recognised words, by either of them`);
console.log(
  `${harmless.length} everyday sentences: taken for a cry by each; milliseconds from the end of the words (p50/p95)`,
);
console.log(
  row([
    "voice",
    "noise",
    "spotter",
    "words",
    "either",
    "f.spotter",
    "f.words",
    "f.either",
    "spotter ms",
    "words ms",
    "CPU s/s",
  ]),
);
const beganMs = performance.now();
for (const noise of options.noise.split(",")) {
  for (const name of options.voices.split(",")) {
    const speak = await patientVoice(name, runtime);
    let [seconds, seed] = [0, 1];
    const ears = async (sentences: readonly string[]): Promise<Heard[]> => {
      const heard: Heard[] = [];
      for (const sentence of sentences) {
        const room = roomNamed(noise === "clean" ? "quiet" : noise, seed++);
        const samples = decodeG711(encodeG711(inRoom(await speak(sentence), room, 0.1), "PCMU"), "PCMU");
        seconds += samples.length / 8_000;
        heard.push(hear(sentence, samples));
      }
      return heard;
    };
    const [cries, others] = [await ears(alarming), await ears(harmless)];
    const count = (list: readonly Heard[], holds: (heard: Heard) => boolean) => list.filter(holds).length;
    const caught = (holds: (heard: Heard) => boolean) => percent(count(cries, holds), cries.length);
    const wrong = (holds: (heard: Heard) => boolean) => String(count(others, holds));
    const all = [...cries, ...others];
    const times = (of: (heard: Heard) => number) => `${shareBelow(0.5, all.map(of))}/${shareBelow(0.95, all.map(of))}`;
    const kinds = [
      (each: Heard) => each.isSpotted,
      (each: Heard) => each.isRead,
      (each: Heard) => each.isSpotted || each.isRead,
    ];
    const cpuSeconds = all.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1_000;
    const latency = [times(({ spotterMs }) => spotterMs), times(({ textMs }) => textMs)];
    console.log(
      row([name, noise, ...kinds.map(caught), ...kinds.map(wrong), ...latency, (cpuSeconds / seconds).toFixed(2)]),
    );
  }
}
console.log(`${Math.round((performance.now() - beganMs) / 1_000)} s`);
