// Neural networks, run by ONNX Runtime's native addon: one thread, and `run` holds it up until it is done. Load it in a
// worker. The addon is called directly; its package's own JavaScript would find the library in node_modules alone.
import { isMainThread } from "node:worker_threads";
import { addonIn } from "./native-folder.ts";
import { nativeFiles } from "./native-files.ts";
import { unguarded, type NativeGuard } from "./native-guard.ts";
import { forbidTelemetry } from "./no-telemetry.ts";

export type TensorData = Float32Array | BigInt64Array | Int32Array | Uint8Array;
type TensorType = "float32" | "int64" | "int32" | "uint8" | "bool";

/** What goes into a network and comes out of it. The addon makes its answers with this class too. */
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

/** The floats of an answer. */
export function floatsOf(tensor: Tensor | undefined): Float32Array {
  if (tensor?.data instanceof Float32Array) return tensor.data;
  throw new Error("A network gave something other than floating-point numbers.");
}

export interface Model {
  readonly inputNames: readonly string[];
  /** By name; −1 where a length may be anything. */
  readonly inputShapes: Readonly<Record<string, readonly number[]>>;
  readonly outputNames: readonly string[];
  /** Throws where an input is missing or of the wrong shape. Outputs that are not asked for are not copied. */
  run(inputs: Readonly<Record<string, Tensor>>, outputs?: readonly string[]): Readonly<Record<string, Tensor>>;
  /** Gives its memory back; it cannot be run afterwards. */
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

/** Only what is fatal: the rest comes back as errors, and lines on standard error are nobody's log. */
const LOG_LEVEL = 4;
/** One thread each: calls run beside each other, and a second thread gains 10 % where there is a core for it. */
const SESSION_OPTIONS = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: "sequential",
  graphOptimizationLevel: "all",
  logSeverityLevel: LOG_LEVEL,
};

/**
 * `folder` is the process's own (native-folder.ts); it stays empty when Ringward runs from source. `guard` keeps a thread
 * that others may end from being ended inside.
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

/** On its own: what it closes over would live as long as the model, and the runtime has made a copy of the weights. */
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
