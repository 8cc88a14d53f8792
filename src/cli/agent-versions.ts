// ringward agents versions | difference | restore | library: version history of agents, and templates for new agents.
import { libraryIn, libraryLanguage } from "../agents/library/library.ts";
import type { FieldDifference, TextPiece } from "../agents/versions/difference.ts";
import { CLI_ACTOR } from "../core/actor.ts";
import { UsageError, type Command } from "./command.ts";
import { JSON_OPTION, ORG_OPTION, organisationOf, withServices } from "./context.ts";
import { print, printJson, printTable } from "./output.ts";

export const agentsVersions: Command = {
  name: "agents versions",
  summary: "List the versions of an agent: who changed what, and when.",
  positionals: ["AGENT_ID"],
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [id = ""] = args.positionals;
      const versions = await services.agents.versions(await organisationOf(args, services), id);
      if (args.flag("json")) printJson(versions);
      else
        printTable(
          ["version", "at", "by", "changed"],
          versions.map(({ version, at, by, restored_from, changed }) => [
            String(version),
            at,
            by.name ?? by.kind,
            (restored_from === null ? "" : `version ${restored_from} restored: `) + (changed.join(", ") || "–"),
          ]),
        );
      return 0;
    }),
};

export const agentsDifference: Command = {
  name: "agents difference",
  summary: "Show what a version of an agent changed.",
  positionals: ["AGENT_ID", "VERSION"],
  options: {
    against: { type: "string", value: "VERSION", help: "Compare with this version instead of the previous one." },
    ...ORG_OPTION,
    ...JSON_OPTION,
  },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [id = "", version = ""] = args.positionals;
      const against = args.text("against");
      const shown = await services.agents.version(
        await organisationOf(args, services),
        id,
        numberOf(version),
        against === undefined ? undefined : numberOf(against),
      );
      if (args.flag("json")) printJson(shown);
      else print(shown.differences.map(differenceText).join("\n\n") || "Nothing differs.");
      return 0;
    }),
};

export const agentsRestore: Command = {
  name: "agents restore",
  summary: "Restore an earlier version of an agent as a new version.",
  positionals: ["AGENT_ID", "VERSION"],
  options: { ...ORG_OPTION, ...JSON_OPTION },
  run: (args) =>
    withServices(args, async ({ services }) => {
      const [id = "", version = ""] = args.positionals;
      const agent = await services.agents.restore(
        await organisationOf(args, services),
        id,
        numberOf(version),
        CLI_ACTOR,
      );
      if (args.flag("json")) printJson(agent);
      else print(`${agent.agent_id} is what it was in version ${version}.`);
      return 0;
    }),
};

export const agentsLibrary: Command = {
  name: "agents library",
  summary: 'List the starting points for "agents create --from".',
  options: {
    language: { type: "string", value: "TAG", help: "Language of the words: en (default) or hi." },
    ...JSON_OPTION,
  },
  run: async (args) => {
    const library = libraryIn(libraryLanguage(args.text("language") ?? ""));
    if (args.flag("json")) printJson(library);
    else
      printTable(
        ["id", "for", "needs with each call"],
        library.map(({ id, about, needs }) => [id, about, needs.map(({ name }) => name).join(", ")]),
      );
    return 0;
  },
};

function numberOf(text: string): number {
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw new UsageError("VERSION must be a whole number from 1.");
  return Number(text);
}

const MARKS: Readonly<Record<TextPiece["kind"], [string, string]>> = {
  same: ["", ""],
  removed: ["[-", "-]"],
  added: ["{+", "+}"],
};

function differenceText({ field, before, after, pieces }: FieldDifference): string {
  if (!pieces) return `${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`;
  const marked = pieces.map(({ kind, text }) => MARKS[kind].join(text));
  return `${field}:\n${marked.join("")}`;
}
