// Silero voice activity detection for all calls. Windows of several calls are batched, which costs a third of running
// them separately.
import { floats, floatsOf, integers, type Model, type Tensor } from "../onnx/runtime.ts";
import { FRAME_SAMPLES, WINDOW_SAMPLES, type FromEarWorker, type ToEarWorker } from "./protocol.ts";

/** The end of the previous window precedes each window. */
const CONTEXT_SAMPLES = 32;
const INPUT_SAMPLES = CONTEXT_SAMPLES + WINDOW_SAMPLES;
/** State of two layers per call. */
const LAYERS = 2;
const LAYER_VALUES = 128;
const FULL_SCALE = 32_768;
/**
 * Resets its state after this many silent windows, as the authors do between utterances. Without the reset, 30 s of a
 * noisy room (10 dB) hid "Yes, please." completely; with it, the words are detected from their first sound.
 */
const FORGETS_AFTER_WINDOWS = 62;
const SILENT = 0.2;

interface Listening {
  /** Context, then the samples of the next windows. */
  input: Float32Array;
  filled: number;
  memory: Float32Array;
  /** Consecutive count. */
  silentWindows: number;
}

export interface Detector {
  /** Number of open calls. */
  readonly calls: number;
  hear(batch: ToEarWorker): FromEarWorker;
}

export function createDetector(model: Model): Detector {
  const rate = integers([8_000], []);
  const calls = new Map<number, Listening>();

  function callOf(ear: number): Listening {
    const known = calls.get(ear);
    if (known) return known;
    const made = {
      input: new Float32Array(INPUT_SAMPLES + FRAME_SAMPLES),
      filled: CONTEXT_SAMPLES,
      memory: new Float32Array(LAYERS * LAYER_VALUES),
      silentWindows: 0,
    };
    calls.set(ear, made);
    return made;
  }

  function judge(ready: readonly Listening[]): Float32Array {
    const answer = model.run({ input: inputOf(ready), state: memoryOf(ready), sr: rate });
    keepMemory(ready, floatsOf(answer["stateN"]));
    const probabilities = floatsOf(answer["output"]);
    for (const [at, call] of ready.entries()) {
      forgetSilence(call, probabilities[at] ?? 0);
      call.input.copyWithin(0, WINDOW_SAMPLES, call.filled);
      call.filled -= WINDOW_SAMPLES;
    }
    return probabilities;
  }

  return {
    get calls() {
      return calls.size;
    },
    hear({ ears, samples, closed }) {
      const heard: number[] = [];
      const probabilities: number[] = [];
      let ready = new Map<number, Listening>();
      const settle = (): void => {
        if (ready.size === 0) return;
        probabilities.push(...judge([...ready.values()]));
        heard.push(...ready.keys());
        ready = new Map();
      };
      for (const [at, ear] of ears.entries()) {
        // Frees the space of the window before the next frame of the same call.
        if (ready.has(ear)) settle();
        const call = callOf(ear);
        const from = at * FRAME_SAMPLES;
        for (let i = 0; i < FRAME_SAMPLES; i++) call.input[call.filled++] = (samples[from + i] ?? 0) / FULL_SCALE;
        if (call.filled >= INPUT_SAMPLES) ready.set(ear, call);
      }
      settle();
      for (const ear of closed) calls.delete(ear);
      return { ears: heard, probabilities: Float32Array.from(probabilities) };
    },
  };
}

function forgetSilence(call: Listening, probability: number): void {
  call.silentWindows = probability < SILENT ? call.silentWindows + 1 : 0;
  if (call.silentWindows < FORGETS_AFTER_WINDOWS) return;
  call.silentWindows = 0;
  call.memory.fill(0);
}

function inputOf(ready: readonly Listening[]): Tensor {
  const input = new Float32Array(ready.length * INPUT_SAMPLES);
  for (const [at, call] of ready.entries()) input.set(call.input.subarray(0, INPUT_SAMPLES), at * INPUT_SAMPLES);
  return floats(input, [ready.length, INPUT_SAMPLES]);
}

/** Layer by layer, and call by call within a layer. */
function memoryOf(ready: readonly Listening[]): Tensor {
  const state = new Float32Array(ready.length * LAYERS * LAYER_VALUES);
  for (let layer = 0; layer < LAYERS; layer++) {
    for (const [at, { memory }] of ready.entries()) {
      const own = memory.subarray(layer * LAYER_VALUES, (layer + 1) * LAYER_VALUES);
      state.set(own, (layer * ready.length + at) * LAYER_VALUES);
    }
  }
  return floats(state, [LAYERS, ready.length, LAYER_VALUES]);
}

function keepMemory(ready: readonly Listening[], state: Float32Array): void {
  for (let layer = 0; layer < LAYERS; layer++) {
    for (const [at, { memory }] of ready.entries()) {
      const from = (layer * ready.length + at) * LAYER_VALUES;
      memory.set(state.subarray(from, from + LAYER_VALUES), layer * LAYER_VALUES);
    }
  }
}
