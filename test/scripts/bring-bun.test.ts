// Bun is what every line runs on: what npm brings of it is used only where its checksum is the one we know.
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { tempFolder } from "../support/temp.ts";

const ROOT = join(import.meta.dir, "../..");
const PACKAGE = "@oven/bun-linux-x64";
const VERSION = manifest.packageManager.replace("bun@", "");

/** A checkout with the script alone, and an npm that brings a package of our own making. */
function checkout() {
  const folder = tempFolder();
  mkdirSync(join(folder, "scripts"));
  for (const file of ["package.json", "scripts/bring-bun", "scripts/bun-checksums"])
    copyFileSync(join(ROOT, file), join(folder, file));
  mkdirSync(join(folder, "made/package/bin"), { recursive: true });
  writeFileSync(join(folder, "made/package/bin/bun"), "#!/bin/sh\necho not really bun\n");
  const tarball = join(folder, "made/bun.tgz");
  Bun.spawnSync(["tar", "-czf", tarball, "-C", join(folder, "made"), "package"]);
  mkdirSync(join(folder, "programs"));
  writeFileSync(
    join(folder, "programs/npm"),
    `#!/bin/sh\n[ "$1" = pack ] || exit 1\ncp "${tarball}" "$4/bun.tgz"\necho brought >>"${folder}/npm.log"\n`,
    { mode: 0o755 },
  );
  // The test runs on a machine without Node too.
  writeFileSync(join(folder, "programs/node"), `#!/bin/sh\nexec "${process.execPath}" "$@"\n`, { mode: 0o755 });
  return {
    folder,
    checksum: `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`,
    setChecksums: (text: string) => writeFileSync(join(folder, "scripts/bun-checksums"), text),
    timesBrought: () => readFileSync(join(folder, "npm.log"), "utf8").trim().split("\n").length,
    bring() {
      const run = Bun.spawnSync(["bash", join(folder, "scripts/bring-bun"), PACKAGE], {
        env: { PATH: `${join(folder, "programs")}:${process.env["PATH"] ?? ""}` },
      });
      return { code: run.exitCode, stdout: run.stdout.toString().trim(), stderr: run.stderr.toString() };
    },
  };
}

describe("Bun that npm brings", () => {
  test("with another checksum is refused, and nothing of it stays", () => {
    const place = checkout();
    const { code, stdout, stderr } = place.bring();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("is not what scripts/bun-checksums expects");
    expect(stderr).toContain(place.checksum);
    const left = readdirSync(join(place.folder, ".tools"), { recursive: true, encoding: "utf8" });
    expect(left.filter((name) => !["node_modules", dirname(`node_modules/${PACKAGE}`)].includes(name))).toEqual([]);
  });

  test("with the right one is used, and not brought again", () => {
    const place = checkout();
    place.setChecksums(`${place.checksum} ${PACKAGE}@${VERSION}\n`);
    const path = join(place.folder, ".tools/node_modules", PACKAGE, "bin/bun");
    expect(place.bring()).toMatchObject({ code: 0, stdout: path });
    expect(place.bring()).toMatchObject({ code: 0, stdout: path, stderr: "" });
    expect([existsSync(path), place.timesBrought()]).toEqual([true, 1]);
  });

  test("is brought again where the checksum was changed since", () => {
    const place = checkout();
    place.setChecksums(`${place.checksum} ${PACKAGE}@${VERSION}\n`);
    place.bring();
    place.setChecksums(`sha512-other== ${PACKAGE}@${VERSION}\n`);
    expect(place.bring().code).toBe(1);
  });

  test("of a version without a checksum is not even fetched", () => {
    const place = checkout();
    place.setChecksums(`${place.checksum} ${PACKAGE}@0.0.1\n`);
    expect(place.bring()).toMatchObject({ code: 1, stderr: expect.stringContaining("has no checksum") });
    expect(existsSync(join(place.folder, "npm.log"))).toBeFalse();
  });
});

test("every platform that we build for has a checksum of the pinned version", () => {
  const lines = readFileSync(join(ROOT, "scripts/bun-checksums"), "utf8").trim().split("\n");
  const names = lines.map((line) => line.split(" ")[1]);
  for (const platform of ["linux-x64", "linux-aarch64", "linux-x64-musl", "linux-aarch64-musl", "darwin-aarch64"])
    expect(names).toContain(`@oven/bun-${platform}@${VERSION}`);
  for (const line of lines) expect(line).toMatch(/^sha512-[A-Za-z0-9+/]{86}== @oven\/bun-[\w-]+@\d+\.\d+\.\d+$/);
});
