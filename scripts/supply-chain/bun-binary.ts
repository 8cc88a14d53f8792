// Bun for a platform, with the checksum that scripts/bun-checksums demands of it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Brings it where it is not there yet, and answers the path of its binary. */
export function bunFor(root: string, bunPackage: string): string {
  const run = Bun.spawnSync([join(root, "scripts/bring-bun"), bunPackage], { stderr: "inherit" });
  if (!run.success) throw new Error(`There is no checked ${bunPackage}.`);
  return run.stdout.toString().trim();
}

/** SHA-512 of the package, in hex. */
export async function bunChecksum(root: string, bunPackage: string): Promise<string> {
  const lines = (await readFile(join(root, "scripts/bun-checksums"), "utf8")).split("\n");
  const line = lines.find((line) => line.endsWith(` ${bunPackage}@${Bun.version}`));
  if (!line) throw new Error(`scripts/bun-checksums has no checksum for ${bunPackage}@${Bun.version}.`);
  return Buffer.from(line.slice("sha512-".length, line.indexOf(" ")), "base64").toString("hex");
}
