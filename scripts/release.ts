// Builds a release and signs it; see scripts/release.
import { createPublicKey } from "node:crypto";
import { copyFileSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { platformName } from "../src/speech/onnx/platform.ts";
import { fingerprintOf } from "../src/update/release-keys.ts";
import { executableName, readSignedSums, SIGNATURE_FILE, SUMS_FILE } from "../src/update/signed-sums.ts";
import { writeDebianPackage } from "./releasing/debian-package.ts";
import { imageRecipe } from "./releasing/image-recipe.ts";
import { readSigningKey, signFolder } from "./releasing/signed-folder.ts";

const ROOT = join(import.meta.dir, "..");
const DIST = join(ROOT, "dist");
const FOLDER = join(DIST, "release");
/** Build targets by architecture name of Debian and Docker. */
const TARGETS = { amd64: "linux-x64", arm64: "linux-arm64" } as const;

const { values } = parseArgs({
  options: {
    key: { type: "string" },
    trust: { type: "string", multiple: true, default: [] },
    maintainer: { type: "string", default: "Ringward maintainers <ringward@localhost>" },
  },
});
const { version } = manifest;

function run(command: readonly string[]): void {
  const { exitCode } = Bun.spawnSync([...command], { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} failed.`);
}

/** A release must match a commit; uncommitted changes would be in no history. */
function assertCommitted(): void {
  const { stdout } = Bun.spawnSync(["git", "status", "--porcelain"], { cwd: ROOT });
  if (stdout.toString() !== "") throw new Error("There are changes that are not committed.");
  const isOpen = !readFileSync(join(ROOT, "CHANGELOG.md"), "utf8").includes(`\n## ${version}`);
  if (isOpen) throw new Error(`CHANGELOG.md has no section "## ${version}".`);
}

if (values.key === undefined)
  throw new Error("Name the signing key with --key; ./scripts/release says how to make one.");
const key = readSigningKey(values.key, ROOT);
const publicKey = createPublicKey(key);
assertCommitted();

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const publicFile = join(FOLDER, "ringward-release.pem");
writeFileSync(publicFile, publicKey.export({ format: "pem", type: "spki" }));
const trusted = [publicFile, ...values.trust].flatMap((file) => ["--release-key", file]);
run([process.execPath, "scripts/build.ts", "--full", ...trusted, ...Object.values(TARGETS)]);

const executables: Record<string, string> = {};
for (const [architecture, platform] of Object.entries(TARGETS) as [keyof typeof TARGETS, string][]) {
  const name = executableName({ version, platform, isSlim: false });
  executables[architecture] = name;
  const built = join(DIST, `ringward-${platform}`);
  renameSync(built, join(FOLDER, name));
  renameSync(`${built}.cdx.json`, join(FOLDER, `${name}.cdx.json`));
  writeDebianPackage({
    root: ROOT,
    version,
    architecture,
    maintainer: values.maintainer,
    executable: join(FOLDER, name),
    billOfMaterials: join(FOLDER, `${name}.cdx.json`),
    licences: join(DIST, "licences.txt"),
    target: join(FOLDER, `ringward_${version}_${architecture}.deb`),
  });
}
copyFileSync(join(DIST, "licences.txt"), join(FOLDER, "licences.txt"));
for (const name of ["ringward.service", "alerts.yml", "grafana-dashboard.json"])
  cpSync(join(ROOT, "config", name), join(FOLDER, name));
writeFileSync(join(FOLDER, "Dockerfile"), imageRecipe(readFileSync(join(ROOT, "Dockerfile"), "utf8"), executables));
const compose = readFileSync(join(ROOT, "config/compose.yaml"), "utf8");
writeFileSync(
  join(FOLDER, "compose.yaml"),
  compose.replace("context: ..", "context: .").replace("-f config/compose.yaml ", ""),
);
signFolder(FOLDER, key);

// Verifies the release like an installed executable does, and runs the executable for this machine.
const signed = readSignedSums(join(FOLDER, SUMS_FILE), join(FOLDER, SIGNATURE_FILE), [publicKey]);
const own = executableName({ version, platform: platformName(), isSlim: false });
if (signed.sums.has(own)) run([join(FOLDER, own), "update", "check", join(FOLDER, own)]);
console.log(`dist/release: ${signed.sums.size} files of Ringward ${version}, signed by ${fingerprintOf(publicKey)}.`);
