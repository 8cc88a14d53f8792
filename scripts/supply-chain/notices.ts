// The licence notices of everything inside the executable, as one text.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BuiltInPart } from "./built-in-part.ts";
import { partsWith } from "./built-in-parts.ts";
import type { BundledPackage } from "./bundled-packages.ts";
import type { BundledWeights } from "./bundled-weights.ts";

const TEXTS = join(import.meta.dir, "texts");
const LINE = "=".repeat(80);

/** Bun's licence is MIT according to its package.json and LICENSE.md, which the package does not include. */
const BUN_COPYRIGHT = "Copyright (c) Oven, Inc. (Jarred Sumner) and the contributors to Bun";

export function noticesOf(
  root: string,
  packages: readonly BundledPackage[],
  weights: readonly BundledWeights[],
  versions: Readonly<Record<string, string>>,
): string {
  const parts = partsWith(packages);
  const named = new Set(parts.flatMap(({ licence }) => licenceIds(licence)).concat("MIT"));
  const sections = [
    `Ringward is under the Apache License 2.0 (see its text below).\n\nThis executable also holds the work of others. First come the packages that are bundled, each with the licence files it\nbrings, and the weights of neural networks; then Bun, which runs it all, and what is compiled into Bun and into native parts; then the texts that these\nlast ones refer to.`,
    ...packages.map((item) => packageSection(root, item)),
    ...weights.map(weightsSection),
    section(
      `Bun ${versions["bun"] ?? ""}`,
      `MIT\nhttps://bun.com\n\n${BUN_COPYRIGHT}\n\nIts npm package brings no licence file. What follows is after the LICENSE.md in its public repository; the\ncopyright lines are those of the projects named.`,
    ),
    ...parts.map((part) => partSection(part, versions)),
    ...[...named]
      .toSorted()
      .map((id) => section(`Text of ${id}`, readFileSync(join(TEXTS, `${id}.txt`), "utf8").trim())),
  ];
  return `${sections.join(`\n\n`)}\n`;
}

export function headingOf({ name, version }: { name: string; version: string }): string {
  return `${name} ${version}`;
}

function section(heading: string, text: string): string {
  return `${LINE}\n${heading}\n${LINE}\n${text}`;
}

/** Copyright holders of packages that declare a licence but include no licence file. The texts are at the end. */
const COPYRIGHT_OF: Readonly<Record<string, string>> = {
  "pg-types": "Copyright (c) 2014 Brian M. Carlson",
  "onnxruntime-node": "Copyright (c) Microsoft Corporation",
  "@lichess-org/vosk-browser": "Copyright Ciaran O'Reilly and the contributors to vosk-browser",
};

function packageSection(root: string, item: BundledPackage): string {
  const files = licenceFilesIn(join(root, item.folder));
  const copyright = COPYRIGHT_OF[item.name];
  if (files.length === 0 && copyright) {
    return section(headingOf(item), `${item.licence}\n${item.homepage}\n\n${copyright}`);
  }
  if (files.length === 0) throw new Error(`${item.name} brings no licence file. Add its text before it is shipped.`);
  const texts = files.map((file) => readFileSync(join(root, item.folder, file), "utf8").trim());
  return section(headingOf(item), `${item.licence}\n${item.homepage}\n\n${texts.join(`\n\n${"-".repeat(80)}\n\n`)}`);
}

function weightsSection(weights: BundledWeights): string {
  const text = readFileSync(weights.licenceFile, "utf8").trim();
  return section(headingOf(weights), `${weights.licence}\n${weights.origin}\n\n${text}`);
}

export function licenceFilesIn(folder: string): string[] {
  const isLicence = (name: string) => /(?:^|\.)(?:licen[cs]e|copying|notice)(?:[.-][\w.-]*)?$/i.test(name);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isLicence(entry.name))
    .map(({ name }) => name)
    .toSorted();
}

function partSection(part: BuiltInPart, versions: Readonly<Record<string, string>>): string {
  const lines = [`${part.licence}, inside ${part.inside}`, part.source, "", part.copyright];
  return section(
    headingOf({ name: part.name, version: versionOf(part, versions) }).trim(),
    [...lines, ...(part.note ? ["", part.note] : [])].join("\n"),
  );
}

export function versionOf(part: BuiltInPart, versions: Readonly<Record<string, string>>): string {
  if (part.versionKey === undefined) return "";
  const version = versions[part.versionKey];
  if (version === undefined)
    throw new Error(`This Bun does not tell the version of ${part.name}; see built-in-parts.ts.`);
  return version;
}

/** `A AND B WITH C` → A, B, C, the file names in texts/. */
export function licenceIds(expression: string): string[] {
  return expression.split(/ AND | OR | WITH /).map((id) => id.replace(/-or-later$/, ""));
}
