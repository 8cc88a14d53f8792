// Symbolises stack traces: reads a log from standard input and replaces each position inside an executable with its
// source position. The executable and its source maps must come from the same build: `ringward version` prints the
// commit.
import { existsSync, readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { join } from "node:path";

/** Bun's name of a bundled file in an executable, with line and column. */
const POSITION = /\/\$bunfs\/root\/([\w.-]+):(\d+):(\d+)/g;
/** Workers have their own names; the program itself has the name of the executable. */
const bundleNamed = (name: string): string => (name.endsWith("-worker.js") ? name : "main");

export function withSources(log: string, folder: string): string {
  const maps = new Map<string, SourceMap | null>();
  const mapOf = (name: string): SourceMap | null => {
    const file = join(folder, `${name}.map`);
    const known = maps.get(name);
    if (known !== undefined) return known;
    const read = existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, "utf8")) as SourceMapPayload) : null;
    maps.set(name, read);
    return read;
  };
  return log.replaceAll(POSITION, (whole, name: string, line: string, column: string) => {
    const entry = mapOf(bundleNamed(name))?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!entry || !("originalSource" in entry)) return whole;
    const source = entry.originalSource.replace(/^(?:\.\.\/)+/, "");
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined || !existsSync(folder)) {
    console.error("Name the folder of the source maps: ./scripts/where dist/ringward.maps < LOG");
    process.exit(2);
  }
  process.stdout.write(withSources(await Bun.stdin.text(), folder));
}
