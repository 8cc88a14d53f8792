// The Bun binary of an executable: downloaded and checked by its package, or the one that runs the build. The bill of
// materials states the hash of the exact file, because a Bun of the right version on the PATH may be any build.
import { createHash } from "node:crypto";
import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";

/** Downloads it if necessary and returns the path of its binary. */
export function bunFor(root: string, bunPackage: string): string {
  const run = Bun.spawnSync([join(root, "scripts/bring-bun"), bunPackage], { stderr: "inherit" });
  if (!run.success) throw new Error(`There is no checked ${bunPackage}.`);
  return run.stdout.toString().trim();
}

export interface BunUsed {
  /** SHA-512 of the binary, in hex. */
  sha512: string;
  /** Whether scripts/bring-bun downloaded it and verified the checksum in scripts/bun-checksums. */
  isChecked: boolean;
}

/** `file`: the Bun binary that the executable is built from. */
export async function bunUsed(root: string, bunPackage: string, file: string): Promise<BunUsed> {
  const sha512 = createHash("sha512")
    .update(await readFile(file))
    .digest("hex");
  const folder = join(root, ".tools/node_modules", bunPackage);
  const isOurs = (await realpath(file)) === (await realpath(join(folder, "bin/bun")).catch(() => null));
  const noted = await readFile(join(folder, ".checksum"), "utf8").catch(() => "");
  const demanded = await demandedChecksum(root, bunPackage);
  return { sha512, isChecked: isOurs && demanded !== null && noted.trim() === demanded };
}

async function demandedChecksum(root: string, bunPackage: string): Promise<string | null> {
  const lines = (await readFile(join(root, "scripts/bun-checksums"), "utf8")).split("\n");
  const line = lines.find((line) => line.endsWith(` ${bunPackage}@${Bun.version}`));
  return line === undefined ? null : line.slice(0, line.indexOf(" "));
}
