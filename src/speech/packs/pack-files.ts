// Location of the packs in this build. From source, the files fetched by scripts/bring-packs.ts; in the executable, the
// build replaces this module by a list of embedded files.
import { existsSync } from "node:fs";
import { join } from "node:path";

const BROUGHT = join(import.meta.dir, "../../../.tools/packs");

export function packFile(pack: string, part: string): string | null {
  const file = join(BROUGHT, pack, part);
  return existsSync(file) ? file : null;
}
