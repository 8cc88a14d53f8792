// Word error rate of callee sentences (callee-sentences.txt) through the whole path from line to text: µ-law, noise,
// voice activity detection, endpointing, noise filter and recogniser. Prints word errors and CPU cost per utterance, to
// evaluate a change of weights or constants. Voices: the built-in ones, and those of festival and flite if installed.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { decodeG711, encodeG711 } from "../src/audio/g711.ts";
import { readWav } from "../src/audio/read-wav.ts";
import { loadMoonshine } from "../src/speech/asr/moonshine.ts";
import { transcribeWell } from "../src/speech/asr/second-opinion.ts";
import { createDetector } from "../src/speech/ears/detector.ts";
import { createEarMemory } from "../src/speech/ears/memory.ts";
import { FRAME_SAMPLES } from "../src/speech/ears/protocol.ts";
import { loadRuntime } from "../src/speech/onnx/runtime.ts";
import { readWeights, WEIGHTS } from "../src/speech/onnx/weights.ts";
import { loadNeuralVoice } from "../src/speech/tts/neural/load.ts";
import { VOICE_NAMES } from "../src/speech/tts/voices.ts";
import { wordErrors } from "./word-errors.ts";

const { values: options } = parseArgs({
  options: {
    voices: { type: "string" },
    noise: { type: "string", default: "clean,20,10" },
    show: { type: "boolean", default: false },
  },
});
const SAMPLES_PER_MS = 8;
const [LEAD_MS, TAIL_MS] = [600, 700];
const sentences = (await Bun.file(join(import.meta.dir, "callee-sentences.txt")).text()).trim().split("\n");
const folder = mkdtempSync(join(tmpdir(), "ringward-voices-"));

const runtime = await loadRuntime("");
const detectorModel = runtime.openModel(await readWeights(WEIGHTS.voiceDetector));
const moonshine = await loadMoonshine(runtime);
const speak = await loadNeuralVoice(runtime);
moonshine.rehearse();

type Say = (sentence: string) => Promise<Int16Array>;

/** A program that writes a WAV file. */
function spokenBy(command: (text: string, wav: string) => string[], program: string): [Say] | [] {
  if (!Bun.which(program)) return [];
  return [
    async (sentence) => {
      const [text, wav] = [join(folder, "text"), join(folder, "voice.wav")];
      await Bun.write(text, sentence);
      Bun.spawnSync(command(text, wav), { stdout: "ignore", stderr: "ignore" });
      return readWav(await Bun.file(wav).bytes());
    },
  ];
}

const flite = (voice: string) => spokenBy((text, wav) => ["flite", "-voice", voice, "-f", text, "-o", wav], "flite");
const festival = spokenBy(
  (text, wav) => ["text2wave", "-eval", "(voice_cmu_us_slt_arctic_hts)", "-F", "8000", text, "-o", wav],
  "text2wave",
);
const voices = new Map<string, Say>([
  ...VOICE_NAMES.map((name) => [name, async (sentence: string) => speak(sentence, name)] as const),
  ...festival.map((say) => ["slt", say] as const),
  ...flite("rms").map((say) => ["rms", say] as const),
  ...flite("awb").map((say) => ["awb", say] as const),
]);

let seed = 1;
/** The same noise in each run: stationary, weaker at high frequencies, as in a room or a car. */
const chance = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
const power = (samples: Int16Array) => samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length;

function onTheLine(voice: Int16Array, decibels: number | null): Int16Array {
  const call = new Int16Array(voice.length + (LEAD_MS + TAIL_MS) * SAMPLES_PER_MS);
  call.set(voice, LEAD_MS * SAMPLES_PER_MS);
  if (decibels !== null) {
    const loudness = Math.sqrt(power(voice) / 10 ** (decibels / 10));
    let last = 0;
    for (let at = 0; at < call.length; at++) {
      // The sum of three uniform values approximates a normal distribution of variance 1/4; the filter halves it.
      last = 0.7 * last + 0.714 * 2 * (chance() + chance() + chance() - 1.5);
      call[at] = Math.max(-32_768, Math.min(32_767, (call[at] ?? 0) + loudness * last));
    }
  }
  return decodeG711(encodeG711(call, "PCMU"), "PCMU");
}

/** The utterance passed to the recogniser; null if no speech was detected. */
function heardIn(call: Int16Array): Int16Array | null {
  const [detector, memory] = [createDetector(detectorModel), createEarMemory()];
  for (let from = 0; from + FRAME_SAMPLES <= call.length; from += FRAME_SAMPLES) {
    const samples = call.slice(from, from + FRAME_SAMPLES);
    memory.hear(samples);
    for (const probability of detector.hear({ ears: [1], samples, closed: [] }).probabilities)
      memory.judge(probability);
  }
  return memory.spokenBetween(0, memory.heardMs);
}

const cpuMs = () => (process.cpuUsage().user + process.cpuUsage().system) / 1_000;

async function judge(name: string, say: Say, decibels: number | null): Promise<void> {
  let [errors, words, unheard, whole, cost] = [0, 0, 0, 0, 0];
  for (const sentence of sentences) {
    const spoken = heardIn(onTheLine(await say(sentence), decibels));
    const begun = cpuMs();
    const text = spoken ? transcribeWell(moonshine, spoken, () => () => 0).text : "";
    cost += cpuMs() - begun;
    const found = wordErrors(sentence, text);
    errors += found.errors;
    words += found.words;
    if (text === "") unheard += 1;
    if (found.errors === 0) whole += 1;
    else if (options.show) console.log(`  ${sentence}  →  ${text}`);
  }
  const noise = decibels === null ? "clean" : `${decibels} dB`;
  const share = `${((100 * errors) / words).toFixed(1)} %`.padStart(7);
  console.log(
    `${name.padEnd(8)} ${noise.padEnd(6)} ${share} word errors, ${whole} of ${sentences.length} whole, ${unheard} unheard, ${Math.round(cost / sentences.length)} ms of CPU`,
  );
}

const wanted = options.voices?.split(",") ?? [...voices.keys()];
for (const name of wanted) {
  const say = voices.get(name);
  if (!say) {
    console.log(`${name}: there is no such voice here. There are: ${[...voices.keys()].join(", ")}.`);
    continue;
  }
  for (const noise of options.noise.split(",")) await judge(name, say, noise === "clean" ? null : Number(noise));
}
rmSync(folder, { recursive: true });
