// Packages inside the executable: those with files in the bundler's metadata, and those compiled into native addons.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface BundledPackage {
  name: string;
  version: string;
  /** As declared in package.json: an SPDX expression. */
  licence: string;
  homepage: string;
  /** Relative to the checkout. */
  folder: string;
  /** SHA-512 of the tarball in hex, from the integrity in bun.lock. */
  sha512: string;
  /** Names of its dependencies. */
  dependencies: readonly string[];
}

/** Header-only packages compiled into an addon, which the bundler cannot see. */
const COMPILED_IN: Readonly<Record<string, string>> = { "better-sqlite3": "node-addon-api" };

/** The folders in node_modules that contain these build inputs; the innermost if nested. */
export function packageFolders(inputs: Iterable<string>): string[] {
  const folders = new Set<string>();
  for (const input of inputs) {
    const found = /^(?:.*\/)?(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(
      input.replaceAll("\\", "/"),
    );
    if (found?.[1]) folders.add(found[1]);
  }
  return [...folders].toSorted();
}

export function bundledPackages(root: string, inputs: Iterable<string>): BundledPackage[] {
  const folders = packageFolders(inputs);
  for (const [host, guest] of Object.entries(COMPILED_IN))
    if (folders.includes(`node_modules/${host}`)) folders.push(`node_modules/${guest}`);
  const integrities = integritiesIn(readFileSync(join(root, "bun.lock"), "utf8"));
  return folders.map((folder) => packageIn(root, folder, integrities)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

interface Manifest {
  name: string;
  version: string;
  license?: string;
  homepage?: string;
  repository?: string | { url?: string };
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

function packageIn(root: string, folder: string, integrities: ReadonlyMap<string, string>): BundledPackage {
  const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
  const { name, version, license, repository } = manifest;
  const sha512 = integrities.get(`${name}@${version}`);
  if (!license) throw new Error(`${name}@${version} declares no licence. Find it out before it is shipped.`);
  if (!sha512) throw new Error(`${name}@${version} is in the bundle and not in bun.lock.`);
  const repositoryUrl = typeof repository === "string" ? repository : (repository?.url ?? "");
  return {
    name,
    version,
    licence: license,
    homepage: manifest.homepage ?? repositoryUrl.replace(/^git\+/, "").replace(/\.git$/, ""),
    folder,
    sha512,
    dependencies: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).toSorted(),
  };
}

/** bun.lock is JSON with trailing commas; each package is a list of `name@version`, source, metadata and integrity. */
function integritiesIn(lock: string): Map<string, string> {
  const { packages } = Bun.JSONC.parse(lock) as { packages: Record<string, [string, ...unknown[]]> };
  const found = new Map<string, string>();
  for (const [id, ...rest] of Object.values(packages)) {
    const integrity = rest.at(-1);
    if (typeof integrity !== "string" || !integrity.startsWith("sha512-")) continue;
    found.set(id, Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex"));
  }
  return found;
}
