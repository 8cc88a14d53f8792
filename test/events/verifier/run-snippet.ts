// Runs one snippet over the vectors and compares its results with the expected ones.
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SNIPPETS } from "../../../src/events/verifier/snippets.ts";
import { makeVectors, type Vector } from "../../../src/events/verifier/vectors.ts";
import { skipsFor } from "../../support/skips.ts";
import type { Language } from "./languages.ts";

/** Time limit for a JVM and a Go compiler on a busy machine with two cores. */
const DEADLINE_MS = 55_000;

export type Verdicts = Record<string, boolean>;

export const expectedVerdicts = (): Verdicts =>
  Object.fromEntries(makeVectors().vectors.map(({ name, valid }) => [name, valid]));

export function codeOf(language: Language): string {
  const snippet = SNIPPETS.find(({ id }) => id === language.id);
  if (!snippet) throw new Error(`There is no snippet for ${language.id}.`);
  return snippet.code;
}

/** One test per language; skipped, with the reason, if its tools are missing. */
export function testSnippet(language: Language): void {
  const missing = language.needs.filter((command) => !Bun.which(command));
  const name = `the ${language.id} snippet accepts every good vector and refuses every bad one`;
  if (missing.length > 0) {
    test.skipIf(skipsFor(true, `needs ${missing.join(", ")}`))(name, () => {});
    return;
  }
  test(name, () => expect(verdictsOf(language)).toEqual(expectedVerdicts()), DEADLINE_MS);
}

type Checked = Pick<Vector, "name" | "secret" | "now" | "headers" | "body">;

/** The snippet's result for each vector, run in its own folder. */
export function verdictsOf(
  language: Language,
  code = codeOf(language),
  vectors: readonly Checked[] = makeVectors().vectors,
): Verdicts {
  const folder = mkdtempSync(join(tmpdir(), "ringward-snippet-"));
  try {
    for (const [path, text] of Object.entries({ ...language.files, [language.snippetPath]: code })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    if (language.compile) execute(language.compile, folder);
    const said = execute(language.run, folder, vectors.map(lineOf).join("")).trimEnd().split("\n");
    if (said.length !== vectors.length) throw new Error(`${vectors.length} vectors, but ${said.length} answers.`);
    return Object.fromEntries(vectors.map(({ name }, index) => [name, asBoolean(said[index])]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lineOf({ secret, now, headers, body }: Checked): string {
  const field = (text: string | undefined) => (text === undefined ? "-" : Buffer.from(text).toString("base64"));
  const { "x-webhook-timestamp": timestamp, "x-webhook-signature": signature } = headers;
  return `${[field(secret), field(timestamp), field(signature), field(body), now].join("\t")}\n`;
}

function asBoolean(said: string | undefined): boolean {
  if (said !== "true" && said !== "false") throw new Error(`Neither true nor false: ${said}`);
  return said === "true";
}

/** Any output on stderr, such as a compiler warning, is a failure too. */
function execute(command: string[], cwd: string, stdin = ""): string {
  // Caches stay in the folder; tools may neither fetch modules nor send anything.
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: cwd,
    GOCACHE: join(cwd, "go-cache"),
    GOPROXY: "off",
    GOFLAGS: "-mod=mod",
  };
  const run = Bun.spawnSync(command, { cwd, env, stdin: Buffer.from(stdin), timeout: DEADLINE_MS });
  const complaints = run.stderr.toString();
  if (!run.success || complaints !== "")
    throw new Error(`${command.join(" ")} ended with ${run.exitCode}:\n${complaints}`);
  return run.stdout.toString();
}
