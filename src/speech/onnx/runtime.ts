// Runs neural networks with ONNX Runtime's native addon: one thread, and `run` blocks it. Load it in a worker. The
// addon is called directly, because the package's own JavaScript finds the library only in node_modules.
import { isMainThread } from "node:worker_threads";
import { addonIn } from "./native-folder.ts";
import { nativeFiles } from "./native-files.ts";
import { unguarded, type NativeGuard } from "./native-guard.ts";
import { forbidTelemetry } from "./no-telemetry.ts";

export type TensorData = Float32Array | BigInt64Array | Int32Array | Uint8Array;
type TensorType = "float32" | "int64" | "int32" | "uint8" | "bool";

/** Input or output of a network. The addon creates its results with this class too. */
export class Tensor {
  readonly location = "cpu";
  constructor(
    readonly type: TensorType,
    readonly data: TensorData,
    readonly dims: readonly number[],
  ) {}
}

export const floats = (data: Float32Array, dims: readonly number[]): Tensor => new Tensor("float32", data, dims);
export const integers = (values: readonly number[], dims: readonly number[] = [1, values.length]): Tensor =>
  new Tensor("int64", BigInt64Array.from(values, BigInt), dims);
export const truth = (value: boolean): Tensor => new Tensor("bool", Uint8Array.of(value ? 1 : 0), [1]);

/** The floats of a result. */
export function floatsOf(tensor: Tensor | undefined): Float32Array {
  if (tensor?.data instanceof Float32Array) return tensor.data;
  throw new Error("The output of a network is not floating-point.");
}

export interface Model {
  readonly inputNames: readonly string[];
  /** By name; −1 for a dynamic dimension. */
  readonly inputShapes: Readonly<Record<string, readonly number[]>>;
  readonly outputNames: readonly string[];
  /** Throws if an input is missing or has the wrong shape. Copies only the requested outputs. */
  run(inputs: Readonly<Record<string, Tensor>>, outputs?: readonly string[]): Readonly<Record<string, Tensor>>;
  /** Frees its memory; it cannot run afterwards. */
  close(): void;
}

export interface Runtime {
  openModel(weights: Uint8Array): Model;
}

interface Named {
  name: string;
  shape: readonly number[];
}

interface Session {
  readonly inputMetadata: readonly Named[];
  readonly outputMetadata: readonly Named[];
  loadModel(buffer: ArrayBufferLike, offset: number, length: number, options: object): void;
  run(inputs: object, outputs: object, options: object): Record<string, Tensor>;
  dispose(): void;
}

interface Addon {
  initOrtOnce(logLevel: number, tensor: typeof Tensor, isMainThread: boolean): void;
  InferenceSession: new () => Session;
}

/** Fatal messages only: the rest is reported as errors, and standard error is not our log. */
const LOG_LEVEL = 4;
/** One thread each: calls run in parallel, and a second thread gains only 10 % with a free core. */
const SESSION_OPTIONS = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: "sequential",
  graphOptimizationLevel: "all",
  logSeverityLevel: LOG_LEVEL,
};

/**
 * `folder`: from native-folder.ts; stays empty when run from source. `guard`: protects the thread from termination
 * inside native code.
 */
export async function loadRuntime(folder: string, guard: NativeGuard = unguarded): Promise<Runtime> {
  const files = nativeFiles();
  if ("reason" in files) throw new Error(files.reason);
  const path = await addonIn(folder, files);
  const addon = guard(() => loadAddon(path));
  return { openModel: (weights) => modelOf(openSession(addon, weights, guard), guard) };
}

function loadAddon(path: string): Addon {
  forbidTelemetry();
  const loaded = { exports: {} };
  process.dlopen(loaded, path);
  const addon = loaded.exports as Addon;
  addon.initOrtOnce(LOG_LEVEL, Tensor, isMainThread);
  return addon;
}

/** Separate function: its closure would live as long as the model, and the runtime has copied the weights. */
function openSession(addon: Addon, weights: Uint8Array, guard: NativeGuard): Session {
  return guard(() => {
    const opened = new addon.InferenceSession();
    opened.loadModel(weights.buffer, weights.byteOffset, weights.byteLength, SESSION_OPTIONS);
    return opened;
  });
}

function modelOf(session: Session, guard: NativeGuard): Model {
  const outputNames = session.outputMetadata.map(({ name }) => name);
  return {
    inputNames: session.inputMetadata.map(({ name }) => name),
    inputShapes: Object.fromEntries(session.inputMetadata.map(({ name, shape }) => [name, shape])),
    outputNames,
    run(inputs, outputs = outputNames) {
      const wanted = Object.fromEntries(outputs.map((name) => [name, null]));
      return guard(() => session.run(inputs, wanted, {}));
    },
    close: () => guard(() => session.dispose()),
  };
}
