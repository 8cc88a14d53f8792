// Positions of a stack trace in the bundled program, read with its source map.
import { beforeAll, expect, test } from "bun:test";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withSources } from "../../scripts/where.ts";
import { tempFolder } from "../support/temp.ts";

const folder = tempFolder();
const SOURCE =
  'export function begin(): never {\n  // A comment that the bundle leaves out.\n  throw new Error("x");\n}\nbegin();\n';
let position: { line: number; column: number };

beforeAll(async () => {
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/main.ts"), SOURCE);
  const built = await Bun.build({
    entrypoints: [join(folder, "src/main.ts")],
    outdir: join(folder, "maps"),
    minify: { syntax: true, whitespace: true, identifiers: false },
    sourcemap: "external",
  });
  expect(built.success).toBe(true);
  // As the build names it: the program itself has no extension.
  renameSync(join(folder, "maps/main.js.map"), join(folder, "maps/main.map"));
  const lines = (await Bun.file(join(folder, "maps/main.js")).text()).split("\n");
  const line = lines.findIndex((text) => text.includes("Error("));
  position = { line: line + 1, column: (lines[line] ?? "").indexOf("Error(") + 1 };
});

test("becomes the line of source, and the rest of the log stays as it is", () => {
  const { line, column } = position;
  const log = `{"msg":"stray fault","at":"at begin (/$bunfs/root/ringward:${line}:${column})"}\nnext line\n`;
  const read = withSources(log, join(folder, "maps"));
  expect(read).toMatch(/^\{"msg":"stray fault","at":"at begin \(\S*src\/main\.ts:3:\d+\)"\}\nnext line\n$/);
});

test("of the program itself is known by whatever name the executable has", () => {
  const { line, column } = position;
  const read = withSources(`at begin (/$bunfs/root/ringward-linux-arm64:${line}:${column})`, join(folder, "maps"));
  expect(read).toContain("src/main.ts:3:");
});

test("of a file without a map stays as it is", () => {
  const log = "at begin (/$bunfs/root/line-worker.js:1:2)";
  expect(withSources(log, join(folder, "maps"))).toBe(log);
});
