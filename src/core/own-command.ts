// How this program starts itself again, for work in a process of its own.

/** From source the runtime is bun and the program its first argument; compiled, the binary is both. */
export function ownCommand(): string[] {
  const [, script = ""] = process.argv;
  return script.endsWith(".ts") ? [process.execPath, script] : [process.execPath];
}
