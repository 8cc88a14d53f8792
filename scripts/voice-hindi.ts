// Character error rate of the Hindi voices: Hindi sentences as a caller hears them (clause by clause, through µ-law),
// synthesised with each of the two decoders and transcribed by Whisper small, and the CPU cost of a second of speech.
// Each result is a line of the journal, so an aborted run can resume, and the table uses the results so far. Usage:
// ./scripts/voice-hindi [--journal FILE] [--seeds 3] [--table]
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { decodeG711, encodeG711, G711_SAMPLE_RATE_HZ } from "../src/audio/g711.ts";
import { joinSounds } from "../src/audio/telephone-sound.ts";
import { forRecogniser } from "../src/speech/asr/utterance.ts";
import { loadRuntime } from "../src/speech/onnx/runtime.ts";
import { hindiClauses } from "../src/speech/tts/hindi/clauses.ts";
import { HINDI_VOICES } from "../src/speech/tts/hindi/voices.ts";
import { loadNeuralVoice } from "../src/speech/tts/neural/load.ts";
import { characterErrors } from "./character-errors.ts";
import { HINDI_SENTENCES } from "./hindi-sentences.ts";
import { hindiTable, type HindiResult } from "./voice-hindi-table.ts";
import { loadWhisper } from "./whisper.ts";

const TOOLS = join(import.meta.dir, "../.tools");
const { values: options } = parseArgs({
  options: {
    journal: { type: "string", default: join(TOOLS, "voice-hindi.jsonl") },
    seeds: { type: "string", default: "3" },
    table: { type: "boolean", default: false },
  },
});

const DECODERS = { english: "voiceDecoder", hindi: "voiceHindiDecoder" } as const;
const seeds = Number(options.seeds);

const journal = (): HindiResult[] =>
  existsSync(options.journal)
    ? readFileSync(options.journal, "utf8")
        .trim()
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as HindiResult)
    : [];

async function measure(): Promise<void> {
  const runtime = await loadRuntime("");
  const whisper = await loadWhisper(runtime, join(TOOLS, "whisper-small"), "hi");
  let seed = 0;
  const voices = [];
  for (const [decoder, hindiDecoder] of Object.entries(DECODERS)) {
    const speak = await loadNeuralVoice(runtime, { hindiDecoder, seed: () => seed });
    speak("नमस्ते।", HINDI_VOICES[0]);
    voices.push(...HINDI_VOICES.map((voice) => ({ decoder, voice, speak })));
  }
  const done = new Set(journal().map((result) => `${result.sentence} ${result.seed}`));
  const shortestFirst = [...HINDI_SENTENCES.entries()].toSorted(([, a], [, b]) => a.length - b.length);
  // All sentences with one seed before any gets a second: partial results always cover all voices and decoders.
  for (let at = 0; at < seeds * shortestFirst.length; at++) {
    const [sentence, text] = shortestFirst[at % shortestFirst.length] ?? [0, ""];
    seed = 1 + ((at + Math.floor(at / shortestFirst.length)) % seeds);
    if (done.has(`${sentence} ${seed}`)) continue;
    const spoken = voices.map(({ speak, ...who }) => {
      const begun = process.cpuUsage();
      const sound = joinSounds(hindiClauses(text).map((clause) => speak(clause, who.voice)));
      const { user, system } = process.cpuUsage(begun);
      return { ...who, sound, cpuSeconds: (user + system) / 1e6 };
    });
    const heard = whisper.transcribe(
      spoken.map(({ sound }) => forRecogniser(decodeG711(encodeG711(sound, "PCMU"), "PCMU"))),
    );
    const results = spoken.map(({ sound, ...who }, i): HindiResult => ({
      ...who,
      sentence,
      seed,
      ...characterErrors(text, heard[i] ?? ""),
      seconds: sound.length / G711_SAMPLE_RATE_HZ,
      heard: heard[i] ?? "",
    }));
    appendFileSync(options.journal, results.map((result) => `${JSON.stringify(result)}\n`).join(""));
  }
}

if (!options.table) await measure();
console.log(hindiTable(journal()));
