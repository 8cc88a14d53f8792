// Where the files of packs lie that came with this build. From source these are the ones that scripts/bring-packs.ts has
// brought; the build puts a list of files inside the executable in the place of this module.
import { existsSync } from "node:fs";
import { join } from "node:path";

const BROUGHT = join(import.meta.dir, "../../../.tools/packs");

export function packFile(pack: string, part: string): string | null {
  const file = join(BROUGHT, pack, part);
  return existsSync(file) ? file : null;
}
