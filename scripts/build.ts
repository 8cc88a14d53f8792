// Compiles Ringward into one executable per target: runtime, code, migrations, native addons and weights in one file.
// The bill of materials is written beside it; the licence notices are written beside it and embedded. Each target has
// two builds: the full one, and a slim one without the packs of src/speech/packs/packs.ts.
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import Sqlite from "better-sqlite3";
import type { BunPlugin } from "bun";
import manifest from "../package.json" with { type: "json" };
import { bundleWeb } from "../src/dashboard/web-files.ts";
import { buildHandbook } from "../src/handbook/build-handbook.ts";
import { faultIn } from "../src/speech/onnx/weights.ts";
import { platformName } from "../src/speech/onnx/platform.ts";
import { PACK_NAMES } from "../src/speech/packs/packs.ts";
import { readPublicKey } from "../src/update/release-keys.ts";
import { bringPack } from "./bring-packs.ts";
import { embedNative, nativeInputs } from "./embed-native.ts";
import { embedPacks } from "./embed-packs.ts";
import { embedWeights } from "./embed-weights.ts";
import { packFiles } from "./packed-files.ts";
import { bunFor, bunUsed } from "./supply-chain/bun-binary.ts";
import { bundledPackages, packageFolders, type BundledPackage } from "./supply-chain/bundled-packages.ts";
import { bundledWeights, type BundledWeights } from "./supply-chain/bundled-weights.ts";
import { noticesOf } from "./supply-chain/notices.ts";
import { sbomOf } from "./supply-chain/sbom.ts";
import { inputsOf, NEVER_LOADED, surveyInputs } from "./supply-chain/survey.ts";

const ROOT = join(import.meta.dir, "..");
const DIST = join(ROOT, "dist");
const VERSIONS = process.versions as Record<string, string>;

// The first is the entry point of the executable; the others are threads, which are embedded only if named.
const ENTRY_POINTS = [
  "src/main.ts",
  "src/compose/threads/disk-worker.ts",
  "src/compose/threads/line-worker.ts",
  "src/compose/threads/post-worker.ts",
  "src/compose/threads/read-worker.ts",
  "src/compose/threads/speech-worker.ts",
];

interface Target {
  bun: Bun.Build.CompileTarget;
  /** The better-sqlite3 entry that requires this platform's addon by a literal path, so the addon is embedded. */
  sqlite: string;
  /** The npm package of Bun for this target. */
  bunPackage: string;
}

const TARGETS: Record<string, Target> = {
  "linux-x64": { bun: "bun-linux-x64", sqlite: "better-sqlite3/linux-x64", bunPackage: "@oven/bun-linux-x64" },
  "linux-arm64": {
    bun: "bun-linux-arm64",
    sqlite: "better-sqlite3/linux-arm64",
    bunPackage: "@oven/bun-linux-aarch64",
  },
  "linux-x64-musl": {
    bun: "bun-linux-x64-musl",
    sqlite: "better-sqlite3/linuxmusl-x64",
    bunPackage: "@oven/bun-linux-x64-musl",
  },
  "linux-arm64-musl": {
    bun: "bun-linux-arm64-musl",
    sqlite: "better-sqlite3/linuxmusl-arm64",
    bunPackage: "@oven/bun-linux-aarch64-musl",
  },
  "darwin-arm64": {
    bun: "bun-darwin-arm64",
    sqlite: "better-sqlite3/darwin-arm64",
    bunPackage: "@oven/bun-darwin-aarch64",
  },
};

interface Variant {
  /** Base name of the executable and its notices; the target is appended. */
  name: string;
  licences: string;
  withPacks: boolean;
}

const FULL: Variant = { name: "ringward", licences: join(DIST, "licences.txt"), withPacks: true };
const SLIM: Variant = { name: "ringward-slim", licences: join(DIST, "licences-slim.txt"), withPacks: false };

function targetNamed(name: string): Target {
  const target = TARGETS[name];
  if (target) return target;
  console.error(`There is no target "${name}". Name one of: ${Object.keys(TARGETS).join(", ")}, or all.`);
  process.exit(2);
}

/** The commit of the build: RINGWARD_COMMIT if the sources have no .git (a container build), otherwise from git. */
function commitBuilt(): string {
  const given = process.env["RINGWARD_COMMIT"];
  if (given) return given;
  const git = Bun.spawnSync(["git", "rev-parse", "--short=12", "HEAD"], { cwd: ROOT, stderr: "ignore" });
  return git.success ? git.stdout.toString().trim() : "unknown";
}

function embedAddonOf(target: Target): BunPlugin {
  return {
    name: "better-sqlite3 for the target",
    setup(build) {
      build.onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: Bun.resolveSync(target.sqlite, ROOT) }));
    },
  };
}

const HANDBOOK = join(DIST, "handbook.json");
const DASHBOARD = join(DIST, "dashboard.json");

/**
 * Replaces a module that would make its content at run time. The finished content is embedded as a separate file: as
 * text in a module it would be there twice, with its bytecode, and be read at every start.
 */
function embedContent(module: RegExp, exported: string, file: string): BunPlugin {
  return {
    name: exported,
    setup(build) {
      build.onLoad({ filter: module }, () => ({
        loader: "ts",
        contents:
          `import path from ${JSON.stringify(file)} with { type: "file" };\n` +
          `let content;\nexport const ${exported} = () => (content ??= Bun.file(path).json());`,
      }));
    },
  };
}

/** Embedded as a separate file: as text in a module it would be read at every start. */
function embedLicences({ licences }: Variant): BunPlugin {
  return {
    name: "licence notices",
    setup(build) {
      build.onLoad({ filter: /cli\/licence-notices\.ts$/ }, () => ({
        loader: "ts",
        contents:
          `import path from ${JSON.stringify(licences)} with { type: "file" };\n` +
          "export const licenceFile = path;\nexport const licenceNotices = () => Bun.file(path).text();",
      }));
    },
  };
}

async function writeBillOfMaterials(
  target: Target,
  outfile: string,
  inside: { packages: readonly BundledPackage[]; weights: readonly BundledWeights[] },
  bunFile: string,
): Promise<void> {
  const used = await bunUsed(ROOT, target.bunPackage, bunFile);
  const sbom = sbomOf({
    version: manifest.version,
    commit: commitBuilt(),
    ...inside,
    bun: { package: target.bunPackage, version: Bun.version, ...used },
    versions: VERSIONS,
    sqliteVersion: String(new Sqlite(":memory:").prepare("SELECT sqlite_version()").pluck().get()),
    sourceDateEpoch: process.env["SOURCE_DATE_EPOCH"],
  });
  await writeFile(`${outfile}.cdx.json`, `${JSON.stringify(sbom, null, 2)}\n`);
}

/** Asserts that the executable contains exactly the packages covered by the notices and the bill of materials. */
function assertNamed(built: Bun.BuildOutput, packages: readonly BundledPackage[]): void {
  const named = new Set(packages.map(({ folder }) => folder));
  const missing = packageFolders(inputsOf(built)).filter((folder) => !named.has(folder));
  if (missing.length > 0) throw new Error(`These are bundled, and their licences are not: ${missing.join(", ")}.`);
}

async function assertWeights(weights: readonly BundledWeights[]): Promise<void> {
  for (const each of weights) {
    const fault = faultIn(await Bun.file(each.file).bytes(), each);
    if (fault) throw new Error(`${fault} It is not what its catalogue says.`);
  }
}

/**
 * Writes the source maps of an executable by compiling it again, because Bun also embeds maps that it makes. The code
 * is the same with and without maps, so they can be made later from the same commit. ./scripts/where reads them.
 */
async function writeMaps(folder: string, configFor: (outfile: string) => Bun.BuildConfig): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const outfile = join(folder, "main");
  await Bun.build(configFor(outfile));
  await rm(outfile);
}

const { values, positionals } = parseArgs({
  options: {
    slim: { type: "boolean" },
    full: { type: "boolean" },
    maps: { type: "boolean" },
    /** Public keys in PEM: `ringward update` accepts releases signed by one of them. */
    "release-key": { type: "string", multiple: true, default: [] },
  },
  allowPositionals: true,
});
const RELEASE_KEYS = values["release-key"].map((file) =>
  readPublicKey(file).export({ format: "der", type: "spki" }).toString("base64"),
);

async function compile(variant: Variant, name: string, outfile: string): Promise<void> {
  const target = targetNamed(name);
  const startedMs = performance.now();
  const weights = bundledWeights(ROOT, variant.withPacks);
  await assertWeights(weights);
  const packages = bundledPackages(
    ROOT,
    await surveyInputs({
      root: ROOT,
      entryPoints: ENTRY_POINTS,
      plugins: [embedAddonOf(target), embedNative(ROOT, name), embedPacks(variant.withPacks)],
    }),
  );
  const inside = await packFiles(ROOT, [...weights.map(({ file }) => file), ...nativeInputs(ROOT, name)]);
  await writeFile(variant.licences, noticesOf(ROOT, packages, weights, VERSIONS));
  const isForThisMachine = name === platformName();
  // Bun would download another platform's runtime by itself, without a check.
  const bunFile = isForThisMachine ? process.execPath : bunFor(ROOT, target.bunPackage);
  const runtimeBytes = (await stat(bunFile)).size;
  const configFor = (to: string, sourcemap: "none" | "external"): Bun.BuildConfig => ({
    entrypoints: ENTRY_POINTS.map((path) => join(ROOT, path)),
    root: join(ROOT, "src"),
    // In the executable, import.meta.url of every module is that of src/main.ts. With the entry points side by side,
    // `new URL("./line-worker.ts", import.meta.url)` finds its file both from source and compiled.
    naming: { entry: "[name].[ext]" },
    plugins: [
      embedAddonOf(target),
      embedNative(ROOT, name, inside),
      embedWeights(inside),
      embedPacks(variant.withPacks, inside),
      embedContent(/dashboard\/web-files\.ts$/, "webFiles", DASHBOARD),
      embedContent(/handbook\/handbook-files\.ts$/, "handbookFiles", HANDBOOK),
      embedLicences(variant),
    ],
    external: NEVER_LOADED,
    metafile: true,
    define: {
      RINGWARD_COMMIT: JSON.stringify(commitBuilt()),
      RINGWARD_RUNTIME_BYTES: String(runtimeBytes),
      RINGWARD_RELEASE_KEYS: JSON.stringify(RELEASE_KEYS),
    },
    // Keeps identifiers, so stack traces in a hospital's log name our functions.
    minify: { syntax: true, whitespace: true, identifiers: false },
    // Written beside the executable: see writeMaps.
    sourcemap,
    // Parses Elysia, Kysely and others at build time: `--help` takes 19 ms instead of 62, for 4 MB more.
    bytecode: true,
    format: "esm",
    // Files in the current folder must not change the behaviour of the binary.
    compile: {
      target: target.bun,
      outfile: to,
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(isForThisMachine ? {} : { executablePath: bunFile }),
    },
  });
  const built = await Bun.build(configFor(outfile, "none"));
  assertNamed(built, packages);
  await writeBillOfMaterials(target, outfile, { packages, weights }, bunFile);
  if (values.maps) await writeMaps(`${outfile}.maps`, (to) => configFor(to, "external"));
  const { size } = await stat(outfile);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${outfile.slice(ROOT.length + 1)}  ${(size / 1e6).toFixed(1)} MB  ${seconds} s`);
}

const areBothAsked = values.slim === values.full;
const variants = [...(areBothAsked || values.full ? [FULL] : []), ...(areBothAsked || values.slim ? [SLIM] : [])];
const names = positionals.flatMap((name) => (name === "all" ? Object.keys(TARGETS) : [name]));
await mkdir(DIST, { recursive: true });
await writeFile(DASHBOARD, JSON.stringify(await bundleWeb(join(ROOT, "src/web"))));
await writeFile(HANDBOOK, JSON.stringify(await buildHandbook(join(ROOT, "src/handbook"))));
if (variants.includes(FULL)) for (const pack of PACK_NAMES) await bringPack(pack);
for (const variant of variants) {
  if (names.length === 0) await compile(variant, platformName(), join(DIST, variant.name));
  for (const name of names) await compile(variant, name, join(DIST, `${variant.name}-${name}`));
}
