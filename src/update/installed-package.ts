// Whether a package manager owns the executable. If so, only the package manager replaces it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const DPKG_LIST = "var/lib/dpkg/info/ringward.list";

/** `root`: the root of the file system; a different one in tests. */
export function isOwnedByPackage(executable: string, root = "/"): boolean {
  const list = join(root, DPKG_LIST);
  return existsSync(list) && readFileSync(list, "utf8").split("\n").includes(executable);
}
