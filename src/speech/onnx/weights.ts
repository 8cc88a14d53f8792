// Every set of weights that Ringward knows: what it is, whose, how long, and its SHA-256. What lies in the executable is
// checked when it is built, and everything again when it is loaded: a network with a flipped bit answers, and wrongly.
import { createHash } from "node:crypto";
import { FILES } from "./weight-files.ts";

export interface Weights {
  name: string;
  /** Of the package or release that they came with. */
  version: string;
  bytes: number;
  sha256: string;
  /** SPDX. Its text lies beside the file. */
  licence: string;
  /** Where they can be found again. */
  origin: string;
  /** Null where this executable was built without them. */
  file: string | null;
}

const MOONSHINE = {
  version: "0.1.29",
  licence: "MIT",
  origin: "npm:@moonshine-ai/moonshine-js, dist/model/tiny/quantized",
} as const;

export const WEIGHTS = {
  voiceDetector: {
    name: "silero-vad",
    version: "6",
    bytes: 2_327_524,
    sha256: "1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3",
    licence: "MIT",
    origin: "npm:@ricky0123/vad-web@0.0.31, dist/silero_vad_v6.onnx",
    file: FILES.voiceDetector,
  },
  moonshineEncoder: {
    ...MOONSHINE,
    name: "moonshine-tiny-en encoder",
    bytes: 7_937_661,
    sha256: "c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a",
    file: FILES.moonshineEncoder,
  },
  moonshineDecoder: {
    ...MOONSHINE,
    name: "moonshine-tiny-en decoder",
    bytes: 20_243_286,
    sha256: "eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367",
    file: FILES.moonshineDecoder,
  },
} as const satisfies Record<string, Weights>;

export async function readWeights(weights: Weights): Promise<Uint8Array> {
  if (weights.file === null) throw new Error(`This build of Ringward comes without ${weights.name}.`);
  const content = await Bun.file(weights.file).bytes();
  const fault = faultIn(content, weights);
  if (fault) throw new Error(fault);
  return content;
}

/** Null where they are what the catalogue says. */
export function faultIn(content: Uint8Array, { name, bytes, sha256 }: Weights): string | null {
  if (content.byteLength !== bytes) return `${name} has ${content.byteLength} bytes instead of ${bytes}.`;
  const found = createHash("sha256").update(content).digest("hex");
  return found === sha256 ? null : `${name} has the SHA-256 ${found} instead of ${sha256}.`;
}
