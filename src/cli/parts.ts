// Contents of this executable: each part with its size, and whether it is compressed.
import { statSync } from "node:fs";
import { nativeFiles } from "../speech/onnx/native-files.ts";
import { PACKED } from "../speech/onnx/packed-file.ts";
import { WEIGHTS, type Weights } from "../speech/onnx/weights.ts";
import { packFile } from "../speech/packs/pack-files.ts";
import { PACK_NAMES, weightsOf } from "../speech/packs/packs.ts";
import { VOSK_FILES } from "../speech/spotter/vosk.ts";
import { fliteFile } from "../speech/tts/flite-file.ts";
import { licenceFile } from "./licence-notices.ts";

declare const RINGWARD_RUNTIME_BYTES: number | undefined;

export interface Part {
  kind: "runtime" | "program" | "library" | "weights" | "voice" | "text";
  name: string;
  /** Size inside the executable. */
  bytes: number;
  isPacked: boolean;
}

/** Null when Ringward runs from source. The sizes of the parts add up to the size of the executable. */
export function partsInside(): Part[] | null {
  if (typeof RINGWARD_RUNTIME_BYTES !== "number") return null;
  const files = [...libraries(), ...weights(), ...texts()].map(({ file, ...part }) => ({
    ...part,
    bytes: Bun.file(file).size,
    isPacked: file.endsWith(PACKED),
  }));
  const runtime = {
    kind: "runtime" as const,
    name: `Bun ${Bun.version}`,
    bytes: RINGWARD_RUNTIME_BYTES,
    isPacked: false,
  };
  const counted = [runtime, ...files].reduce((sum, { bytes }) => sum + bytes, 0);
  const program = {
    kind: "program" as const,
    name: "Ringward, its packages, dashboard and SQLite",
    bytes: statSync(process.execPath).size - counted,
    isPacked: false,
  };
  return [runtime, program, ...files];
}

type FilePart = Pick<Part, "kind" | "name"> & { file: string };

function libraries(): FilePart[] {
  const native = nativeFiles();
  const onnx = "reason" in native ? [] : [native.library, native.addon];
  return [
    ...onnx.map((file, at) => ({ kind: "library" as const, name: ["ONNX Runtime", "its addon"][at] ?? "", file })),
    ...VOSK_FILES.map((file, at) => ({ kind: "library" as const, name: ["Vosk", "its loader"][at] ?? "", file })),
    ...(fliteFile === null ? [] : [{ kind: "voice" as const, name: "Flite", file: fliteFile }]),
  ];
}

function weights(): FilePart[] {
  const all: Weights[] = [
    ...Object.values(WEIGHTS),
    ...PACK_NAMES.flatMap((name) => Object.values(weightsOf(name, (part) => packFile(name, part)) ?? {})),
  ];
  return all.flatMap(({ name, file }) => (file === null ? [] : [{ kind: "weights" as const, name, file }]));
}

function texts(): FilePart[] {
  return licenceFile === null ? [] : [{ kind: "text", name: "licences", file: licenceFile }];
}
