// Disables ONNX Runtime's telemetry. An environment variable must be set before the library is loaded; then it creates
// no machine id, no event store and no connection. Writes to `process.env` do not reach native code, so setenv of the C
// library is called.
import { dlopen, FFIType } from "bun:ffi";

const VARIABLE = "ORT_DISABLE_TELEMETRY";
const C_LIBRARY = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";
const SETENV = { setenv: { args: [FFIType.cstring, FFIType.cstring, FFIType.i32], returns: FFIType.i32 } } as const;

/** Throws on failure: the runtime must not be loaded then. */
export function forbidTelemetry(): void {
  const { symbols, close } = dlopen(C_LIBRARY, SETENV);
  const result = symbols.setenv(Buffer.from(`${VARIABLE}\0`), Buffer.from("1\0"), 1);
  close();
  if (result !== 0) throw new Error("Telemetry of ONNX Runtime could not be disabled, so it is not loaded.");
}
