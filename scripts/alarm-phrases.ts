// Forty cries for help and 119 everyday sentences, in several voices, over µ-law and with noise: how many of the first are heard
// by the phrase spotter, by the recogniser with the rules for text, and by both together; how many of the second are taken
// for one; and what it costs. Voices: the built-in ones, and festival's where it is installed.
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
    show: { type: "boolean", default: false },
  },
});
const linesOf = async (file: string) => (await Bun.file(join(import.meta.dir, file)).text()).trim().split("\n");
const alarming = await linesOf("alarm-sentences.txt");
const everyday = [
  ...(await linesOf("callee-sentences.txt")).filter((line) => !line.includes("chest pain")),
  ...CLINIC_SENTENCES.map(({ written }) => written),
];

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
const percent = (part: number, all: number) => `${((100 * part) / all).toFixed(1)} %`.padStart(8);

console.log("voice    noise   spotter     text     both | false: spotter     text | CPU a second   at once");
for (const noise of options.noise.split(",")) {
  for (const name of options.voices.split(",")) {
    const speak = await patientVoice(name, runtime);
    const caught = { spotter: 0, text: 0, both: 0 };
    const wrong = { spotter: 0, text: 0 };
    let [cpuMs, seconds, seed] = [0, 0, 1];
    for (const sentence of [...alarming, ...everyday]) {
      const room = roomNamed(noise === "clean" ? "quiet" : noise, seed++);
      const samples = decodeG711(encodeG711(inRoom(await speak(sentence), room, 0.1), "PCMU"), "PCMU");
      const before = process.cpuUsage();
      const heard = spotter.hear(samples);
      const { user, system } = process.cpuUsage(before);
      cpuMs += (user + system) / 1_000;
      seconds += samples.length / 8_000;
      const isSpotted = alarmsIn(heard).length > 0;
      const { text } = moonshine.transcribe(forRecogniser(withLessNoise(samples)));
      const isRead = isAlarmInText(text);
      const isMeant = alarming.includes(sentence);
      if (isMeant) {
        caught.spotter += Number(isSpotted);
        caught.text += Number(isRead);
        caught.both += Number(isSpotted || isRead);
      } else if (!isAlarmInText(sentence)) {
        wrong.spotter += Number(isSpotted);
        wrong.text += Number(isRead);
      }
      if (options.show && (isMeant !== isSpotted || isMeant !== isRead)) {
        const words = heard.map(({ word, confidence }) => `${word} ${confidence.toFixed(2)}`).join(" ");
        console.log(`  ${isSpotted ? "spotted" : "-"} ${isRead ? "read" : "-"}: ${sentence} | ${text} | ${words}`);
      }
    }
    const all = alarming.length;
    console.log(
      `${name.padEnd(8)} ${noise.padEnd(6)}${percent(caught.spotter, all)} ${percent(caught.text, all)} ${percent(caught.both, all)} |`,
      `${String(wrong.spotter).padStart(14)} ${String(wrong.text).padStart(8)} | ${(cpuMs / seconds / 1_000).toFixed(2).padStart(12)} ${((1_000 * seconds) / cpuMs).toFixed(1).padStart(9)}`,
    );
  }
}
