// The handbook's list of commands in Markdown, generated from the command table of the executable.
import { COMMON_OPTIONS, type Command, type Option } from "../src/cli/command.ts";

const INTRODUCTION = `# Commands

<!-- Written by ./scripts/write-commands from src/cli/run.ts. Do not edit. -->

\`ringward COMMAND --help\` prints the same on the command line. \`ringward\` without a command serves. Commands work beside
a running server, which notices their changes within 30 seconds (a revoked key at once).

Every command accepts:
`;

export function commandsPage(commands: readonly Command[]): string {
  const shown = commands.filter(({ isInternal }) => !isInternal);
  const groups = Map.groupBy(shown, ({ name }) => name.split(" ")[0] ?? name);
  const parts = [...groups].map(([group, members]) =>
    members.length === 1
      ? members.map((command) => commandPart(command, "##")).join("")
      : `## ${group}\n\n${members.map((command) => commandPart(command, "###")).join("\n")}`,
  );
  return [`${INTRODUCTION}\n${optionList(COMMON_OPTIONS)}`, ...parts].join("\n");
}

function commandPart({ name, positionals = [], summary, options = {} }: Command, level: string): string {
  const usage = ["ringward", name, ...positionals].join(" ");
  const list = Object.keys(options).length === 0 ? "" : `\n${optionList(options)}`;
  return `${level} ringward ${name}\n\n\`${usage}\`: ${summary.replaceAll(/\s*\n\s*/g, " ")}\n${list}`;
}

function optionList(options: Readonly<Record<string, Option>>): string {
  return Object.entries(options)
    .map(([name, { value, help, required, default: preset }]) => {
      const notes = [required ? "required" : "", preset === undefined ? "" : `default: \`${preset}\``].filter(Boolean);
      const ending = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
      return `- \`--${name}${value === undefined ? "" : ` ${value}`}\`: ${help}${ending}\n`;
    })
    .join("");
}
