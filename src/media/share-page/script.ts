// The page's script for the browser: player.ts without types. Imported as a macro, so it is embedded in the binary.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export function browserScript(): string {
  const source = readFileSync(join(import.meta.dir, "player.ts"), "utf8");
  return new Bun.Transpiler({ loader: "ts", target: "browser" }).transformSync(source);
}
