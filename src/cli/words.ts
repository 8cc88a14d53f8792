// ringward words list | set | remove | export: recorded phrases of an agent.
import { writeFileSync } from "node:fs";
import { CLI_ACTOR } from "../core/actor.ts";
import { RECORDED_KINDS } from "../payloads/recorded-words.ts";
import { MOST_RECORDED_BYTES } from "../agents/recorded-words-service.ts";
import { AppError, messageOf } from "../core/errors.ts";
import type { Command } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print, printJson, printTable } from "./output.ts";

const KINDS = `KIND is one of ${RECORDED_KINDS.join(", ")}.`;

export const wordsList: Command = {
  name: "words list",
  formerly: "prompts list",
  summary: "List the recordings of an agent.",
  positionals: ["AGENT_ID"],
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [agentId = ""] = args.positionals;
      const recorded = await services.recordedWords.list(await organisationOf(args, services), agentId);
      if (args.flag("json")) printJson(recorded);
      else
        printTable(
          ["kind", "seconds", "file", "since"],
          recorded.map((words) => [words.kind, words.seconds.toFixed(1), words.file_name, words.created_at]),
        );
      return 0;
    }),
};

export const wordsSet: Command = {
  name: "words set",
  formerly: "prompts set",
  summary: `Make an agent play a WAV file instead of the built-in voice. ${KINDS}`,
  positionals: ["AGENT_ID", "KIND", "FILE"],
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [agentId = "", kind = "", file = ""] = args.positionals;
      const words = await services.recordedWords.put(
        await organisationOf(args, services),
        agentId,
        kind,
        file,
        await fileBytes(file),
        CLI_ACTOR,
      );
      if (args.flag("json")) printJson(words);
      else print(`The ${words.kind} is now ${words.file_name}, ${words.seconds.toFixed(1)} seconds.`);
      return 0;
    }),
};

export const wordsRemove: Command = {
  name: "words remove",
  formerly: "prompts remove",
  summary: `Remove a recording; the built-in voice speaks again. ${KINDS}`,
  positionals: ["AGENT_ID", "KIND"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [agentId = "", kind = ""] = args.positionals;
      await services.recordedWords.remove(await organisationOf(args, services), agentId, kind, CLI_ACTOR);
      print("Removed.");
      return 0;
    }),
};

export const wordsExport: Command = {
  name: "words export",
  formerly: "prompts export",
  summary: `Write a recording to a WAV file, as it is played. ${KINDS}`,
  positionals: ["AGENT_ID", "KIND", "FILE"],
  options: ORG_OPTION,
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [agentId = "", kind = "", file = ""] = args.positionals;
      const wav = await services.recordedWords.wav(await organisationOf(args, services), agentId, kind);
      try {
        writeFileSync(file, wav);
      } catch (error) {
        throw new AppError("VALIDATION_ERROR", `${file} cannot be written: ${messageOf(error)}`, { cause: error });
      }
      print(`Wrote ${file}.`);
      return 0;
    }),
};

async function fileBytes(file: string): Promise<Uint8Array> {
  try {
    // One byte above the limit is enough to detect a file that is too large.
    return await Bun.file(file)
      .slice(0, MOST_RECORDED_BYTES + 1)
      .bytes();
  } catch (error) {
    throw new AppError("VALIDATION_ERROR", `${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
