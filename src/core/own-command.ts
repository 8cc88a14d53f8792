// The command line that starts this program again, for work in a separate process.

/** From source, the runtime is bun and the script its first argument; compiled, the binary is both. */
export function ownCommand(): string[] {
  const [, script = ""] = process.argv;
  return script.endsWith(".ts") ? [process.execPath, script] : [process.execPath];
}
