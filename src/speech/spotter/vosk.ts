// Vosk, a Kaldi-based speech recogniser, as embedded WASM. With a closed grammar it recognises only the given phrases.
import { compileFunction } from "node:vm";
import glueFile from "@lichess-org/vosk-browser/dist/vosk.worker.js" with { type: "file" };
import wasmFile from "@lichess-org/vosk-browser/dist/vosk.wasm" with { type: "file" };
import { unguarded, type NativeGuard } from "../onnx/native-guard.ts";
import { faultIn } from "../onnx/weights.ts";
import { filesInZip } from "./zip.ts";

export const VOSK_RATE_HZ = 16_000;

export interface VoskListener {
  /** Mono at 16 kHz, in the 16-bit range. Returns a final result, or null while the utterance goes on. */
  hear(samples: Float32Array): VoskResult | null;
  /** Returns the remaining result and resets. */
  finish(): VoskResult;
  close(): void;
}

export interface VoskWord {
  word: string;
  /** 0 to 1. */
  confidence: number;
  fromSeconds: number;
  toSeconds: number;
}

export type VoskResult = readonly VoskWord[];

export interface Vosk {
  listenFor(phrases: readonly string[]): VoskListener;
}

interface Recognizer {
  AcceptWaveform(address: number, length: number): boolean;
  Result(): string;
  FinalResult(): string;
  SetWords(isOn: boolean): void;
  delete(): void;
}

interface Engine {
  FS: { mkdir(path: string): void; writeFile(path: string, content: Uint8Array): void };
  HEAPF32: Float32Array;
  _malloc(bytes: number): number;
  _free(address: number): void;
  SetLogLevel(level: number): void;
  Model: new (path: string) => object;
  Recognizer: new (model: object, rateHz: number, grammar: string) => Recognizer;
  then?: unknown;
}

type LoadEngine = (options: object) => PromiseLike<Engine>;

/** Engine and loader, for the list of embedded files. */
export const VOSK_FILES = [wasmFile, glueFile];

/** Part of the package's file before its message worker. */
const GLUE = {
  name: "vosk-browser glue",
  bytes: 197_103,
  sha256: "24c215a4e2ab2288541596f43c8fd789b4c23c9a1ebe8e09e16da871176a82eb",
};
const WASM = {
  name: "vosk-browser engine",
  bytes: 2_992_690,
  sha256: "e2a33196eacd6cd7d863392f877b9360664d7614ce97cddf9de5b5e637e2ccf9",
};
const END_OF_LOADER = "var vosk_default = LoadVosk;";
/** Kaldi's dither is seeded by time: the same audio would give an alarm once and none another time. */
const NO_CHANCE = "--dither=0";
/** Not even errors, which would bypass the log on standard output. Failures are thrown. */
const SILENT = -2;

/**
 * `model`: a zip with the folders am, conf, graph and ivector. `guard`: wraps calls that block the thread for seconds.
 */
export async function loadVosk(model: Uint8Array, guard: NativeGuard = unguarded): Promise<Vosk> {
  const engine = await loadEngine();
  engine.SetLogLevel(SILENT);
  const files = guard(() => filesInZip(model));
  settle(files, "conf/mfcc.conf", NO_CHANCE);
  const loaded = guard(() => {
    writeFolder(engine, "/model", files);
    return new engine.Model("/model");
  });
  return { listenFor: (phrases) => listenFor(engine, loaded, phrases) };
}

/**
 * The glue code targets a browser worker: it reads its script location and installs itself in the worker. Only its
 * loader is used, with a fake location.
 */
async function loadEngine(): Promise<Engine> {
  const [glue, wasmBinary] = [await checked(glueFile, GLUE), await checked(wasmFile, WASM)];
  const source = new TextDecoder().decode(glue);
  const loader = source.slice(0, source.indexOf(END_OF_LOADER));
  const nowhere = { location: { href: "file:///" } };
  const make = compileFunction(`${loader}\nreturn LoadVosk;`, ["self", "location", "importScripts", "print"]);
  const load = (make as (...given: unknown[]) => LoadEngine)(nowhere, nowhere.location, () => {});
  const quiet = (): void => {};
  const loading = load({ wasmBinary, print: quiet, printErr: quiet, locateFile: () => "" });
  const engine = await new Promise<Engine>((resolve, reject) => {
    loading.then((ready) => {
      // The module is thenable and resolves to itself, so awaiting it would never end.
      delete ready.then;
      resolve(ready);
    }, reject);
  });
  return engine;
}

function settle(files: Map<string, Uint8Array>, name: string, option: string): void {
  const settings = new TextDecoder().decode(files.get(name));
  files.set(name, new TextEncoder().encode(`${settings.trimEnd()}\n${option}\n`));
}

async function checked(file: string, facts: { name: string; bytes: number; sha256: string }): Promise<Uint8Array> {
  const content = await Bun.file(file).bytes();
  const fault = faultIn(content, facts);
  if (fault) throw new Error(fault);
  return content;
}

function writeFolder({ FS }: Engine, folder: string, files: ReadonlyMap<string, Uint8Array>): void {
  const made = new Set<string>();
  const make = (path: string): void => {
    if (made.has(path)) return;
    made.add(path);
    FS.mkdir(path);
  };
  make(folder);
  for (const [name, content] of files) {
    const parts = name.split("/").slice(0, -1);
    for (const [at] of parts.entries()) make([folder, ...parts.slice(0, at + 1)].join("/"));
    FS.writeFile(`${folder}/${name}`, content);
  }
}

interface WordsResult {
  result?: { word: string; conf: number; start: number; end: number }[];
}

const wordsIn = (json: string): VoskResult =>
  ((JSON.parse(json) as WordsResult).result ?? []).map(({ word, conf, start, end }) => ({
    word,
    confidence: conf,
    fromSeconds: start,
    toSeconds: end,
  }));

function listenFor(engine: Engine, model: object, phrases: readonly string[]): VoskListener {
  const recognizer = new engine.Recognizer(model, VOSK_RATE_HZ, JSON.stringify(phrases));
  recognizer.SetWords(true);
  return {
    hear(samples) {
      const address = engine._malloc(samples.byteLength);
      if (address === 0) throw new Error("Vosk is out of memory.");
      try {
        engine.HEAPF32.set(samples, address / Float32Array.BYTES_PER_ELEMENT);
        return recognizer.AcceptWaveform(address, samples.length) ? wordsIn(recognizer.Result()) : null;
      } finally {
        engine._free(address);
      }
    },
    finish: () => wordsIn(recognizer.FinalResult()),
    close: () => recognizer.delete(),
  };
}
