// The weights inside an executable: those of all builds, and the optional ones if embedded.
import { dirname, join } from "node:path";
import { WEIGHTS, type Weights } from "../../src/speech/onnx/weights.ts";
import { packFile } from "../../src/speech/packs/pack-files.ts";
import { PACK_NAMES, weightsOf } from "../../src/speech/packs/packs.ts";

export interface BundledWeights extends Weights {
  file: string;
  licenceFile: string;
}

export function bundledWeights(root: string, withPacks: boolean): BundledWeights[] {
  const always = Object.values(WEIGHTS).map((weights) => ({
    ...weights,
    licenceFile: join(dirname(weights.file), "LICENSE"),
  }));
  return withPacks ? [...always, ...PACK_NAMES.flatMap((name) => weightsInPack(root, name))] : always;
}

function weightsInPack(root: string, name: (typeof PACK_NAMES)[number]): BundledWeights[] {
  const weights = weightsOf(name, (part) => packFile(name, part));
  if (!weights) throw new Error(`${name} is missing. Bring it: bun scripts/bring-packs.ts`);
  const licenceFile = join(root, "src/speech/models", name, "LICENSE");
  return Object.values(weights).map((each) => ({ ...each, licenceFile }));
}
