// Word error rate of the built-in voice: 60 clinic sentences as a caller hears them (clause by clause, through µ-law),
// transcribed by the built-in recogniser, and the CPU cost of a second of speech. Evaluates changes of weights or of
// text normalisation rules.
import { decodeG711, encodeG711 } from "../src/audio/g711.ts";
import { joinSounds } from "../src/audio/telephone-sound.ts";
import { loadMoonshine } from "../src/speech/asr/moonshine.ts";
import { forRecogniser } from "../src/speech/asr/utterance.ts";
import { loadRuntime } from "../src/speech/onnx/runtime.ts";
import { clausesOf } from "../src/speech/tts/clauses.ts";
import { loadNeuralVoice } from "../src/speech/tts/neural/load.ts";
import type { Pace } from "../src/speech/tts/pace.ts";
import { sentencesOf } from "../src/speech/tts/reading.ts";
import { VOICE_NAMES, voiceNamed, type VoiceName } from "../src/speech/tts/voices.ts";
import { CLINIC_SENTENCES } from "./clinic-sentences.ts";
import { wordErrors } from "./word-errors.ts";

const SAMPLES_A_SECOND = 8_000;

const cpuSeconds = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6;
const overTheLine = (samples: Int16Array) => decodeG711(encodeG711(samples, "PCMU"), "PCMU");

const runtime = await loadRuntime("");
const speak = await loadNeuralVoice(runtime);
const recogniser = await loadMoonshine(runtime);
speak("Hello.", "heart");

function judge(voice: VoiceName, pace: Pace): void {
  const first: number[] = [];
  let [errors, words, seconds, cost] = [0, 0, 0, 0];
  for (const { written } of CLINIC_SENTENCES) {
    const begun = cpuSeconds();
    const parts = clausesOf(written)
      .flatMap(sentencesOf)
      .map((sentence, i) => {
        const samples = speak(sentence, voice, pace);
        if (i === 0) first.push((cpuSeconds() - begun) * 1_000);
        return samples;
      });
    cost += cpuSeconds() - begun;
    const sound = joinSounds(parts);
    seconds += sound.length / SAMPLES_A_SECOND;
    const { text } = recogniser.transcribe(forRecogniser(overTheLine(sound)));
    const { errors: wrong, words: all } = wordErrors(written, text);
    errors += wrong;
    words += all;
    if (wrong > 0) console.log(`${voice}  ${wrong}  ${written}  →  ${text.trim()}`);
  }
  const middle = first.toSorted((a, b) => a - b)[Math.floor(first.length / 2)] ?? 0;
  console.log(
    `${voice}, ${pace}: ${seconds.toFixed(0)} s of speech, ${((100 * errors) / words).toFixed(1)} % word errors (${errors} of ${words}), ` +
      `${(cost / seconds).toFixed(3)} CPU seconds a second of speech, first clause ${middle.toFixed(0)} ms of CPU (median)`,
  );
}

const asked = process.argv.slice(2).filter((name) => name !== "slow");
const pace: Pace = process.argv.includes("slow") ? "slow" : "usual";
for (const voice of asked.length === 0 ? VOICE_NAMES : asked.map(voiceNamed)) judge(voice, pace);
