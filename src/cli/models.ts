// ringward models list | add | remove: the networks in use for listening and speaking, optional packs that this build
// omits, and larger models added by the operator.
import type { Command } from "./command.ts";
import { UsageError } from "./command.ts";
import { configOf } from "./context.ts";
import { print } from "./output.ts";
import {
  addedModel,
  addedRecogniser,
  addModel,
  MODEL_PARTS,
  removeModel,
  type ModelPart,
} from "../speech/onnx/added-models.ts";
import { WEIGHTS, type Weights } from "../speech/onnx/weights.ts";
import { addPack, removePack, wantedOf } from "../speech/packs/added-packs.ts";
import { availablePacks, PACK_NAMES, PACKS } from "../speech/packs/packs.ts";

const PARTS = MODEL_PARTS.join(" or ");
const NEXT_START = "The server uses it after its next start.";

function partOf(name: string | undefined): ModelPart {
  const part = MODEL_PARTS.find((known) => known === name);
  if (!part) throw new UsageError(`--as must be ${PARTS}.`);
  return part;
}

const lineOf = ({ name, version, bytes, sha256, licence }: Weights) =>
  `${name.padEnd(28)} ${version.padEnd(8)} ${`${(bytes / 1e6).toFixed(1)} MB`.padStart(9)}  ${licence.padEnd(13)} ${sha256.slice(0, 16)}…`;

export const modelsList: Command = {
  name: "models list",
  summary: "List the installed networks, those missing from this build, and the recogniser in use.",
  async run(args) {
    const { data } = configOf(args);
    const packs = availablePacks(data.dir);
    for (const weights of Object.values(WEIGHTS)) print(lineOf(weights));
    for (const name of PACK_NAMES) for (const weights of Object.values(packs[name] ?? {})) print(lineOf(weights));
    const added = MODEL_PARTS.flatMap((part) => addedModel(data.dir, part) ?? []);
    for (const weights of added) print(lineOf(weights));
    if (addedRecogniser(data.dir)) print("The added recogniser is used.");
    else if (added.length > 0) print("The built-in recogniser is used: the other part of the added one is missing.");
    for (const name of PACK_NAMES) {
      if (packs[name] !== null) continue;
      print(`Not here: ${name}. ${PACKS[name].without} To add it: ringward models add FILE, where FILE is`);
      print(`  ${wantedOf({ [name]: PACKS[name] })}`);
    }
    return 0;
  },
};

export const modelsAdd: Command = {
  name: "models add",
  summary: "Add weights that this build does not include, or with --as one of the two networks of a larger recogniser.",
  positionals: ["FILE"],
  options: {
    as: { type: "string", value: "PART", help: `For a larger Moonshine: ${PARTS}.` },
    sha256: { type: "string", value: "HEX", help: "With --as: the published SHA-256 of the file." },
  },
  async run(args) {
    const [file = ""] = args.positionals;
    const { dir } = configOf(args).data;
    const [part, sha256] = [args.text("as"), args.text("sha256") ?? ""];
    if (part === undefined && sha256 !== "") throw new UsageError("--sha256 goes with --as.");
    if (part !== undefined && !/^[0-9a-f]{64}$/i.test(sha256))
      throw new UsageError("--sha256 must be 64 hexadecimal digits.");
    try {
      const added = part === undefined ? await addPack(dir, file, PACKS) : partOf(part);
      if (part !== undefined) await addModel(dir, partOf(part), file, sha256);
      print(`Added ${added}. ${NEXT_START}`);
      return 0;
    } catch (error) {
      if (error instanceof UsageError || !(error instanceof Error)) throw error;
      print(error.message);
      return 1;
    }
  },
};

const REMOVABLE = [...MODEL_PARTS, ...PACK_NAMES];

export const modelsRemove: Command = {
  name: "models remove",
  summary: `Remove added weights: ${REMOVABLE.join(", ")}. What is built in stays and serves again.`,
  positionals: ["NAME"],
  async run(args) {
    const { dir } = configOf(args).data;
    const [name] = args.positionals;
    const part = MODEL_PARTS.find((known) => known === name);
    const pack = PACK_NAMES.find((known) => known === name);
    if (!part && !pack) throw new UsageError(`NAME must be one of ${REMOVABLE.join(", ")}.`);
    const wasThere = part ? removeModel(dir, part) : removePack(dir, pack ?? "");
    print(wasThere ? `Removed. ${NEXT_START}` : "It was not there.");
    return wasThere ? 0 : 1;
  },
};
