// Moonshine, a small English recogniser by Useful Sensors: an encoder and an autoregressive decoder.
import { floats, floatsOf, integers, truth, type Model, type Runtime, type Tensor } from "../onnx/runtime.ts";
import { readWeights, WEIGHTS } from "../onnx/weights.ts";
import type { AddedRecogniser } from "../onnx/added-models.ts";
import { readTokens, type Tokens } from "./tokens.ts";
import { watchedTokens, type WatchedTokens } from "./watched-words.ts";

export const MOONSHINE_RATE_HZ = 16_000;

const BEGIN_TOKEN = 1;
const END_TOKEN = 2;
/** Bound recommended by the authors, because decoding may not terminate. Speech has two to three words a second. */
const MOST_TOKENS_A_SECOND = 6.5;
const SPARE_TOKENS = 4;
/** Minimum output before the end token is allowed. With it no utterance came back empty; without it 2 of 140 did. */
const FEWEST_TOKENS = 2;
/** Repetition loop ("the the the the"): the rest of the output is worthless. */
const MOST_REPEATS = 4;
const LONGEST_CIRCLE_TOKENS = 8;

export interface Transcribed {
  text: string;
  /** Geometric mean of the token probabilities, 0 to 1. */
  confidence: number;
  /** Alternative hypotheses with a likely word of danger; most likely first. */
  others: readonly string[];
}

export interface Moonshine {
  /** Mono at 16 kHz, between −1 and 1. Blocks its thread for 200 to 500 ms. */
  transcribe(samples: Float32Array): Transcribed;
  /** Warm-up with the work of an ordinary answer: two seconds and a dozen tokens. */
  rehearse(): void;
}

/** Below this probability words of danger also appear in everyday sentences. */
const LEAST_LIKELY = 0.02;
/** Each costs about as much as the main hypothesis. */
const MOST_OTHERS = 3;

const ORDINARY = { seconds: 2, tokens: 12 };

const BUILT_IN = { encoder: WEIGHTS.moonshineEncoder, decoder: WEIGHTS.moonshineDecoder };

/** Any model size; all sizes share the tokens. */
export async function loadMoonshine(runtime: Runtime, weights: AddedRecogniser = BUILT_IN): Promise<Moonshine> {
  const encoder = runtime.openModel(await readWeights(weights.encoder));
  const decoder = runtime.openModel(await readWeights(weights.decoder));
  const tokens = await readTokens();
  const parts = { encoder, decoder, tokens, watched: watchedTokens(tokens) };
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
  watched: WatchedTokens;
}

/** Decoder state: tokens written and their key-value cache. */
interface Place {
  readonly written: readonly number[];
  readonly memory: Memory;
  readonly logSum: number;
}

/** A likely alternative token that starts or continues a word of danger. */
interface Turning {
  place: Place;
  token: number;
  logProbability: number;
}

function transcribe({ encoder, decoder, tokens, watched }: Parts, samples: Float32Array, fewest: number): Transcribed {
  const most = Math.ceil((samples.length / MOONSHINE_RATE_HZ) * MOST_TOKENS_A_SECOND) + SPARE_TOKENS;
  const heard = encoder.run({ input_values: floats(samples, [1, samples.length]) })["last_hidden_state"];
  if (!heard) throw new Error("The encoder of the recogniser returned no output.");
  const writer = createWriter(decoder, heard);
  const turnings: Turning[] = [];

  /** Decodes from a state to the end; the first token may be given. */
  function write(from: Place, given: number | null, onTurning: (turning: Turning) => void): Place {
    let place = from;
    let forced = given;
    while (place.written.length < most) {
      const { logits, memory } = writer.next(place.written.at(-1) ?? BEGIN_TOKEN, place.memory);
      const next = likeliest(logits, place.written.length < fewest);
      if (forced === null) {
        for (const token of watched.after(place.written)) {
          const logProbability = next.logProbability + (logits[token] ?? -Infinity) - (logits[next.token] ?? 0);
          if (token !== next.token && logProbability >= Math.log(LEAST_LIKELY))
            onTurning({ place, token, logProbability: place.logSum + logProbability });
        }
      }
      const token = forced ?? next.token;
      forced = null;
      const logSum = place.logSum + (token === next.token ? next.logProbability : 0);
      place = { written: [...place.written, token], memory, logSum };
      if (token === END_TOKEN) break;
      if (place.written.length >= fewest && endsInCircle(place.written)) break;
    }
    return place;
  }

  const best = write({ written: [], memory: writer.empty, logSum: 0 }, null, (turning) => turnings.push(turning));
  const likeliestFirst = turnings.toSorted((a, b) => b.logProbability - a.logProbability).slice(0, MOST_OTHERS);
  const text = tokens.textOf(best.written);
  const others = likeliestFirst.map(({ place, token }) => tokens.textOf(write(place, token, () => {}).written));
  return {
    text,
    confidence: Math.exp(best.logSum / Math.max(1, best.written.length)),
    others: [...new Set(others)].filter((other) => other !== text),
  };
}

type Memory = Readonly<Record<string, Tensor>>;

/** Decoder of one utterance. Cross-attention to the audio is computed once, at the first token. */
function createWriter(decoder: Model, heard: Tensor) {
  const presents = decoder.outputNames.filter((name) => name.startsWith("present"));
  const ofWords = presents.filter((name) => name.includes("decoder"));
  const empty: Record<string, Tensor> = {};
  for (const name of decoder.inputNames) {
    if (!name.startsWith("past_key_values")) continue;
    // The cache starts empty. The model defines the number of heads and their width.
    const [, heads = 0, , width = 0] = decoder.inputShapes[name] ?? [];
    empty[name] = floats(new Float32Array(0), [0, heads, 1, width]);
  }
  return {
    empty: empty as Memory,
    /** Logits of the next token, and the updated cache. */
    next(token: number, before: Memory): { logits: Float32Array; memory: Memory } {
      const hasMemory = before !== empty;
      const kept = hasMemory ? ofWords : presents;
      const answer = decoder.run(
        { input_ids: integers([token]), encoder_hidden_states: heard, use_cache_branch: truth(hasMemory), ...before },
        ["logits", ...kept],
      );
      const memory: Record<string, Tensor> = { ...before };
      for (const name of kept) {
        const tensor = answer[name];
        if (tensor) memory[name.replace("present", "past_key_values")] = tensor;
      }
      return { logits: floatsOf(answer["logits"]), memory };
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

/** Whether the last tokens repeat. */
export function endsInCircle(written: readonly number[]): boolean {
  for (let length = 1; length <= LONGEST_CIRCLE_TOKENS; length++) {
    const from = written.length - length * MOST_REPEATS;
    if (from < 0) return false;
    if (written.slice(from + length).every((token, at) => token === written[from + at])) return true;
  }
  return false;
}
