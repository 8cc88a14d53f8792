// ONNX Runtime reports to its makers what runs on which machine, unless a variable of the environment forbids it when it is
// loaded: then it makes neither a mark of this machine, nor a store of events, nor a connection. What is written to `process.env`
// does not reach native code, so the C library is told.
import { dlopen, FFIType } from "bun:ffi";

const VARIABLE = "ORT_DISABLE_TELEMETRY";
const C_LIBRARY = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";
const SETENV = { setenv: { args: [FFIType.cstring, FFIType.cstring, FFIType.i32], returns: FFIType.i32 } } as const;

/** Throws where it cannot be forbidden: the runtime must not be loaded then. */
export function forbidTelemetry(): void {
  const { symbols, close } = dlopen(C_LIBRARY, SETENV);
  const result = symbols.setenv(Buffer.from(`${VARIABLE}\0`), Buffer.from("1\0"), 1);
  close();
  if (result !== 0) throw new Error("ONNX Runtime cannot be kept from reporting to its makers, so it is not loaded.");
}
