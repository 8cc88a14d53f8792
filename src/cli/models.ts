// ringward models list | add | remove: which networks listen and speak, and larger ones that somebody brings.
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

const PARTS = MODEL_PARTS.join(" or ");
const NEXT_START = "The server takes it at its next start.";

function partOf(name: string | undefined): ModelPart {
  const part = MODEL_PARTS.find((known) => known === name);
  if (!part) throw new UsageError(`PART must be ${PARTS}.`);
  return part;
}

const lineOf = ({ name, version, bytes, sha256, licence }: Weights) =>
  `${name.padEnd(28)} ${version.padEnd(8)} ${`${(bytes / 1e6).toFixed(1)} MB`.padStart(9)}  ${licence.padEnd(13)} ${sha256.slice(0, 16)}…`;

export const modelsList: Command = {
  name: "models list",
  summary: "Print the networks that are built in and those that were added, and which recogniser is used.",
  async run(args) {
    const { data } = configOf(args);
    for (const weights of Object.values(WEIGHTS)) print(lineOf(weights));
    const added = MODEL_PARTS.flatMap((part) => addedModel(data.dir, part) ?? []);
    for (const weights of added) print(lineOf(weights));
    if (addedRecogniser(data.dir)) print("The added recogniser is used.");
    else if (added.length > 0) print("The built-in recogniser is used: the other part of the added one is missing.");
    return 0;
  },
};

export const modelsAdd: Command = {
  name: "models add",
  summary: `Use a larger Moonshine recogniser: its two networks, one at a time (PART: ${PARTS}).`,
  positionals: ["PART", "FILE"],
  options: {
    sha256: { type: "string", value: "HEX", help: "The file's SHA-256, as its makers publish it.", required: true },
  },
  async run(args) {
    const [part, file = ""] = args.positionals;
    const sha256 = args.text("sha256") ?? "";
    if (!/^[0-9a-f]{64}$/i.test(sha256)) throw new UsageError("--sha256 must be 64 hexadecimal digits.");
    try {
      await addModel(configOf(args).data.dir, partOf(part), file, sha256);
    } catch (error) {
      if (error instanceof UsageError || !(error instanceof Error)) throw error;
      print(error.message);
      return 1;
    }
    print(`Added. ${NEXT_START}`);
    return 0;
  },
};

export const modelsRemove: Command = {
  name: "models remove",
  summary: `Take an added network away; the built-in recogniser serves again (PART: ${PARTS}).`,
  positionals: ["PART"],
  async run(args) {
    const wasThere = removeModel(configOf(args).data.dir, partOf(args.positionals[0]));
    print(wasThere ? `Removed. ${NEXT_START}` : "It was not there.");
    return wasThere ? 0 : 1;
  },
};
