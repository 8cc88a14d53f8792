// Moonshine, a small English recogniser by Useful Sensors: one network hears, the other writes token by token.
import { floats, floatsOf, integers, truth, type Model, type Runtime, type Tensor } from "../onnx/runtime.ts";
import { readWeights, WEIGHTS } from "../onnx/weights.ts";
import type { AddedRecogniser } from "../onnx/added-models.ts";
import { readTokens, type Tokens } from "./tokens.ts";

export const MOONSHINE_RATE_HZ = 16_000;

const BEGIN_TOKEN = 1;
const END_TOKEN = 2;
/** People say two to three words a second; its makers bound the tokens so, because it may run on without an end. */
const MOST_TOKENS_A_SECOND = 6.5;
const SPARE_TOKENS = 4;
/** With the end forbidden this long, no utterance came back empty; without it 2 of 140 did. */
const FEWEST_TOKENS = 2;
/** "the the the the": it is caught in a circle, and what follows is worth nothing. */
const MOST_REPEATS = 4;
const LONGEST_CIRCLE_TOKENS = 8;

export interface Transcribed {
  text: string;
  /** 0 to 1: how sure it was of its tokens, on the geometric mean. */
  confidence: number;
}

export interface Moonshine {
  /** Mono at 16 kHz, between −1 and 1. Holds up its thread for a fifth to half a second. */
  transcribe(samples: Float32Array): Transcribed;
  /** Goes through the work of an ordinary answer, two seconds and a dozen tokens, whatever is heard. */
  rehearse(): void;
}

const ORDINARY = { seconds: 2, tokens: 12 };

const BUILT_IN = { encoder: WEIGHTS.moonshineEncoder, decoder: WEIGHTS.moonshineDecoder };

/** One of any size; all of them write the same tokens. */
export async function loadMoonshine(runtime: Runtime, weights: AddedRecogniser = BUILT_IN): Promise<Moonshine> {
  const encoder = runtime.openModel(await readWeights(weights.encoder));
  const decoder = runtime.openModel(await readWeights(weights.decoder));
  const tokens = await readTokens();
  const parts = { encoder, decoder, tokens };
  const ordinary = Float32Array.from({ length: ORDINARY.seconds * MOONSHINE_RATE_HZ }, (_, at) => Math.sin(at) / 10);
  return {
    transcribe: (samples) => transcribe(parts, samples, FEWEST_TOKENS),
    rehearse: () => void transcribe(parts, ordinary, ORDINARY.tokens),
  };
}

interface Parts {
  encoder: Model;
  decoder: Model;
  tokens: Tokens;
}

function transcribe({ encoder, decoder, tokens }: Parts, samples: Float32Array, fewest: number): Transcribed {
  const most = Math.ceil((samples.length / MOONSHINE_RATE_HZ) * MOST_TOKENS_A_SECOND) + SPARE_TOKENS;
  const heard = encoder.run({ input_values: floats(samples, [1, samples.length]) })["last_hidden_state"];
  if (!heard) throw new Error("The recogniser's encoder gave nothing.");
  const writer = createWriter(decoder, heard);
  const written: number[] = [];
  let logSum = 0;
  let steps = 0;
  for (let token = BEGIN_TOKEN; steps < most;) {
    const next = likeliest(writer.next(token), steps < fewest);
    steps += 1;
    logSum += next.logProbability;
    if (next.token === END_TOKEN) break;
    written.push(next.token);
    if (steps >= fewest && endsInCircle(written)) break;
    token = next.token;
  }
  return { text: tokens.textOf(written), confidence: Math.exp(logSum / Math.max(1, steps)) };
}

/** The decoder with its memory of one utterance. What it remembers of the sound it works out at the first token alone. */
function createWriter(decoder: Model, heard: Tensor) {
  const presents = decoder.outputNames.filter((name) => name.startsWith("present"));
  const ofWords = presents.filter((name) => name.includes("decoder"));
  const memory: Record<string, Tensor> = {};
  for (const name of decoder.inputNames) {
    if (!name.startsWith("past_key_values")) continue;
    // It begins empty. How many heads it has, and how wide they are, is the network's own.
    const [, heads = 0, , width = 0] = decoder.inputShapes[name] ?? [];
    memory[name] = floats(new Float32Array(0), [0, heads, 1, width]);
  }
  let hasMemory = false;
  return {
    /** The logits of the token that follows this one. */
    next(token: number): Float32Array {
      const kept = hasMemory ? ofWords : presents;
      const answer = decoder.run(
        { input_ids: integers([token]), encoder_hidden_states: heard, use_cache_branch: truth(hasMemory), ...memory },
        ["logits", ...kept],
      );
      for (const name of kept) {
        const tensor = answer[name];
        if (tensor) memory[name.replace("present", "past_key_values")] = tensor;
      }
      hasMemory = true;
      return floatsOf(answer["logits"]);
    },
  };
}

function likeliest(logits: Float32Array, isEndForbidden: boolean): { token: number; logProbability: number } {
  let token = 0;
  let most = -Infinity;
  for (let i = 0; i < logits.length; i++) {
    const logit = logits[i] ?? -Infinity;
    if (logit <= most || (isEndForbidden && i === END_TOKEN)) continue;
    most = logit;
    token = i;
  }
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - most);
  return { token, logProbability: -Math.log(sum) };
}

/** Whether the last few tokens have been said again and again. */
export function endsInCircle(written: readonly number[]): boolean {
  for (let length = 1; length <= LONGEST_CIRCLE_TOKENS; length++) {
    const from = written.length - length * MOST_REPEATS;
    if (from < 0) return false;
    if (written.slice(from + length).every((token, at) => token === written[from + at])) return true;
  }
  return false;
}
