// The voices that patients speak with: festival's SLT, which is somebody else's, and those of the built-in voice that the agent
// does not use.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Runtime } from "../../../src/speech/onnx/runtime.ts";
import { loadNeuralVoice, type Synthesise } from "../../../src/speech/tts/neural/load.ts";
import { readable } from "../../../src/speech/tts/reading.ts";
import { voiceNamed } from "../../../src/speech/tts/voices.ts";
import { readPcmWav } from "../sounds.ts";

type Speak = (text: string) => Promise<Int16Array>;

const voices = new Map<string, Promise<Speak>>();

export function patientVoice(name: string, runtime: Runtime): Promise<Speak> {
  let voice = voices.get(name);
  if (!voice)
    voices.set(name, (voice = name === "slt" ? Promise.resolve(remembering(sayWithFestival)) : neural(name, runtime)));
  return voice;
}

let synthesise: Promise<Synthesise> | null = null;

async function neural(name: string, runtime: Runtime): Promise<Speak> {
  synthesise ??= loadNeuralVoice(runtime);
  const say = await synthesise;
  const voice = voiceNamed(name);
  if (voice !== name) throw new Error(`There is no voice ${name}.`);
  return remembering((text) => say(readable(text), voice));
}

/** Patients say the same on many calls. */
function remembering(say: (text: string) => Int16Array): Speak {
  const said = new Map<string, Int16Array>();
  return async (text) => {
    let samples = said.get(text);
    if (!samples) said.set(text, (samples = say(text)));
    return samples;
  };
}

function sayWithFestival(text: string): Int16Array {
  const folder = mkdtempSync(join(tmpdir(), "ringward-festival-"));
  try {
    const file = join(folder, "said.wav");
    const options = ["-F", "8000", "-eval", "(voice_cmu_us_slt_arctic_hts)", "-o", file];
    const run = Bun.spawnSync(["text2wave", ...options], { stdin: Buffer.from(text) });
    if (!run.success) throw new Error(`festival could not speak: ${run.stderr.toString()}`);
    return readPcmWav(readFileSync(file));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
