// Command definition of the ringward binary, and the argument parser.
import { parseArgs } from "node:util";

export interface Option {
  type: "string" | "boolean";
  /** Placeholder for the value in the help text; for string options. */
  value?: string;
  help: string;
  required?: boolean;
  default?: string;
}

export interface Arguments {
  /** Positional arguments after the command name. */
  positionals: string[];
  text(name: string): string | undefined;
  flag(name: string): boolean;
}

export interface Command {
  /** One or two words: `backup`, `keys create`. */
  name: string;
  /** Former name: still accepted, but not listed. */
  formerly?: string;
  summary: string;
  /** Names of positional arguments, for help and checking. In brackets: may be left out. */
  positionals?: readonly string[];
  options?: Readonly<Record<string, Option>>;
  /** Started by the server only; not listed in the help. */
  isInternal?: true;
  /** Keeps running when the reader of its output closes the pipe. Other commands exit then. */
  outlivesReader?: true;
  /** Resolves to the exit code: 0 done, 1 failed. */
  run(args: Arguments): Promise<number>;
}

/** Invalid command line: exit code 2, with a pointer to the help. */
export class UsageError extends Error {}

/** Options that every command accepts. */
export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  config: { type: "string", value: "FILE", help: "Settings in TOML; see config/default.toml." },
  data: { type: "string", value: "DIR", help: "The data folder (default: data.dir of the settings)." },
  help: { type: "boolean", help: "Print this and exit." },
};

function optionsOf(command: Command): Readonly<Record<string, Option>> {
  return { ...command.options, ...COMMON_OPTIONS };
}

export function parseArguments(command: Command, argv: readonly string[]): Arguments {
  const options = optionsOf(command);
  const parsed = parse(options, argv);
  const values = parsed.values as Record<string, string | boolean | undefined>;
  const args: Arguments = {
    positionals: parsed.positionals,
    text: (name) => (values[name] as string | undefined) ?? options[name]?.default,
    flag: (name) => values[name] === true,
  };
  if (args.flag("help")) return args;

  const missing = Object.entries(options).filter(([name, option]) => option.required && args.text(name) === undefined);
  if (missing.length > 0) throw new UsageError(`Missing ${missing.map(([name]) => `--${name}`).join(", ")}.`);
  const wanted = command.positionals ?? [];
  const least = wanted.filter((name) => !name.startsWith("[")).length;
  if (args.positionals.length < least || args.positionals.length > wanted.length) {
    throw new UsageError(
      wanted.length === 0 ? `Unexpected ${args.positionals.join(" ")}.` : `Expected ${wanted.join(" ")}.`,
    );
  }
  return args;
}

function parse(options: Readonly<Record<string, Option>>, argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: Object.fromEntries(Object.entries(options).map(([name, { type }]) => [name, { type }])),
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export function helpText(command: Command): string {
  const positionals = (command.positionals ?? []).map((name) => ` ${name}`).join("");
  const rows = Object.entries(optionsOf(command)).map(([name, option]) => {
    const left = `--${name}${option.value ? ` ${option.value}` : ""}`;
    const notes = [option.required ? "required" : "", option.default ? `default: ${option.default}` : ""].filter(
      Boolean,
    );
    return `  ${left.padEnd(26)} ${option.help}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`;
  });
  return `Usage: ringward ${command.name}${positionals} [options]\n\n${command.summary}\n\n${rows.join("\n")}\n`;
}
