// Optional packs of weights: `ringward` contains all of them, `ringward-slim` none. Each is the tarball of a public npm
// package, of which only the files below are used.
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
/** Files of the available packs; null for missing ones. Plain data that can be sent to a worker. */
export type AvailablePacks = { readonly [Name in PackName]: Readonly<Record<PartsOf<Name>, Weights>> | null };

export const PACK_NAMES = Object.keys(PACKS) as PackName[];

/** Packs embedded in this executable or added to its data folder. Read them with readWeights, which verifies them. */
export function availablePacks(dataDir: string): AvailablePacks {
  const entries = PACK_NAMES.map((name) => [
    name,
    weightsOf(name, (part) => packFile(name, part) ?? addedPart(dataDir, name, part)),
  ]);
  return Object.fromEntries(entries) as AvailablePacks;
}

/** For callers that need none. */
export const NO_PACKS = Object.fromEntries(PACK_NAMES.map((name) => [name, null])) as AvailablePacks;

/** Packs this executable was built without; from source, those not fetched. */
export function packsLeftOut(): PackName[] {
  return PACK_NAMES.filter((name) => weightsOf(name, (part) => packFile(name, part)) === null);
}

type PartWeights = Weights & { file: string };

/** Null unless all its files exist. */
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
