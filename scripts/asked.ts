// Command-line options of a script. `--help` prints the usage; an invalid option prints it too, instead of a stack
// trace.
import { parseArgs, type ParseArgsConfig } from "node:util";

export function askedOf<T extends ParseArgsConfig>(help: string, config: T): ReturnType<typeof parseArgs<T>> {
  if (process.argv.includes("--help")) {
    console.log(help);
    process.exit(0);
  }
  try {
    return parseArgs<T>(config);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error), help);
  }
}

/** Parses an option that is a count. */
export function countOf(option: string, value: string, help: string): number {
  return /^\d{1,9}$/.test(value) ? Number(value) : refuse(`--${option} takes a whole number, not "${value}".`, help);
}

function refuse(fault: string, help: string): never {
  console.error(`${fault}\n\n${help}`);
  process.exit(2);
}
