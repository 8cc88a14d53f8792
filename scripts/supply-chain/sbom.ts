// Software bill of materials: CycloneDX 1.6 in JSON. Reproducible: no time unless SOURCE_DATE_EPOCH is set, no random
// serial number, everything sorted.
import type { Weights } from "../../src/speech/onnx/weights.ts";
import { partsWith } from "./built-in-parts.ts";
import type { BundledPackage } from "./bundled-packages.ts";
import { versionOf } from "./notices.ts";

export interface SbomFacts {
  version: string;
  commit: string;
  packages: readonly BundledPackage[];
  weights: readonly Weights[];
  /** `sha512`: hash of the binary; see bun-binary.ts. */
  bun: { package: string; version: string; sha512: string; isChecked: boolean };
  versions: Readonly<Record<string, string>>;
  sqliteVersion: string;
  sourceDateEpoch: string | undefined;
}

export interface Component {
  type: "application" | "library" | "platform" | "machine-learning-model";
  "bom-ref": string;
  name: string;
  version?: string;
  licenses?: ({ license: { id: string } } | { expression: string })[];
  copyright?: string;
  purl?: string;
  hashes?: { alg: "SHA-512" | "SHA-256"; content: string }[];
  properties?: { name: string; value: string }[];
  externalReferences?: { type: "website" | "vcs"; url: string }[];
}

export interface Sbom {
  $schema: string;
  bomFormat: "CycloneDX";
  specVersion: "1.6";
  version: 1;
  metadata: { timestamp?: string; component: Component; properties: { name: string; value: string }[] };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

export function sbomOf(facts: SbomFacts): Sbom {
  const { version, packages, bun } = facts;
  const own = `ringward@${version}`;
  const bunRef = npmUrl(bun.package, bun.version);
  const models = facts.weights.map(modelComponent);
  const components = [...packages.map(packageComponent), bunComponent(facts), ...partComponents(facts), ...models];
  const parts = partsWith(packages);
  const refOf = new Map(packages.map(({ name, version }) => [name, npmUrl(name, version)]));
  const refs = (names: readonly string[]) => names.flatMap((name) => refOf.get(name) ?? []).toSorted();
  const partsIn = (inside: string) =>
    parts.filter((part) => part.inside === inside).map(({ name, inside }) => partRef(name, inside));
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      ...timestampOf(facts.sourceDateEpoch),
      component: {
        type: "application",
        "bom-ref": own,
        name: "ringward",
        version,
        licenses: [{ license: { id: "Apache-2.0" } }],
      },
      properties: [{ name: "ringward:commit", value: facts.commit }],
    },
    components: components.toSorted((a, b) => (a["bom-ref"] < b["bom-ref"] ? -1 : 1)),
    dependencies: [
      { ref: own, dependsOn: [...refOf.values(), bunRef, ...models.map((model) => model["bom-ref"])].toSorted() },
      ...packages.map(({ name, version, dependencies }) => ({
        ref: npmUrl(name, version),
        dependsOn: [...refs(dependencies), ...partsIn(name)].toSorted(),
      })),
      { ref: bunRef, dependsOn: partsIn("Bun").toSorted() },
    ],
  };
}

function packageComponent({ name, version, licence, homepage, sha512 }: BundledPackage): Component {
  return {
    type: "library",
    "bom-ref": npmUrl(name, version),
    name,
    version,
    licenses: licensesOf(licence),
    purl: npmUrl(name, version),
    hashes: [{ alg: "SHA-512", content: sha512 }],
    ...(homepage.startsWith("http") ? { externalReferences: [{ type: "website" as const, url: homepage }] } : {}),
  };
}

function bunComponent({ bun }: SbomFacts): Component {
  return {
    type: "platform",
    "bom-ref": npmUrl(bun.package, bun.version),
    name: bun.package,
    version: bun.version,
    licenses: licensesOf("MIT"),
    // Only a binary from that package gets its purl.
    ...(bun.isChecked ? { purl: npmUrl(bun.package, bun.version) } : {}),
    hashes: [{ alg: "SHA-512", content: bun.sha512 }],
    properties: [
      {
        name: "ringward:bun-source",
        value: bun.isChecked
          ? "The package with the checksum in scripts/bun-checksums; the hash is of its bin/bun."
          : "A Bun that was installed on the machine of the build, unchecked; the hash is of that file.",
      },
    ],
    externalReferences: [{ type: "vcs", url: "https://github.com/oven-sh/bun" }],
  };
}

function modelComponent({ name, version, licence, sha256 }: Weights): Component {
  return {
    type: "machine-learning-model",
    "bom-ref": `weights/${name}`,
    name,
    version,
    licenses: licensesOf(licence),
    hashes: [{ alg: "SHA-256", content: sha256 }],
  };
}

function partComponents({ packages, versions, sqliteVersion }: SbomFacts): Component[] {
  return partsWith(packages).map((part) => {
    const version =
      part.inside === "better-sqlite3-multiple-ciphers" && part.name === "SQLite"
        ? sqliteVersion
        : versionOf(part, versions);
    return {
      type: "library",
      "bom-ref": partRef(part.name, part.inside),
      name: part.name,
      ...(version === "" ? {} : { version }),
      licenses: licensesOf(part.licence),
      copyright: part.copyright,
      externalReferences: [{ type: "vcs", url: part.source }],
    };
  });
}

function licensesOf(expression: string): NonNullable<Component["licenses"]> {
  return /[ (]/.test(expression) ? [{ expression }] : [{ license: { id: expression } }];
}

/** https://github.com/package-url/purl-spec: the scope's @ is encoded, its slash is not. */
export function npmUrl(name: string, version: string): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

function partRef(name: string, inside: string): string {
  return `${inside}/${name}`;
}

function timestampOf(sourceDateEpoch: string | undefined): { timestamp?: string } {
  if (sourceDateEpoch === undefined || !/^\d{1,12}$/.test(sourceDateEpoch)) return {};
  return { timestamp: new Date(Number(sourceDateEpoch) * 1000).toISOString() };
}
