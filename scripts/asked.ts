// What a script was asked for. `--help` tells what there is, and a wrong option is answered with it rather than with a
// stack.
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

/** A count that was given as an option. */
export function countOf(option: string, value: string, help: string): number {
  return /^\d{1,9}$/.test(value) ? Number(value) : refuse(`--${option} takes a whole number, not "${value}".`, help);
}

function refuse(fault: string, help: string): never {
  console.error(`${fault}\n\n${help}`);
  process.exit(2);
}
