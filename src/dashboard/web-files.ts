// The dashboard's bundle. From source it is built at the first request; the build replaces this file with the finished
// bundle (see scripts/build.ts).
import { basename, join } from "node:path";

export interface WebFiles {
  /** Entry script of the page. */
  script: string;
  styles: string;
  /** Chunks by name that the script loads on demand: the texts of other languages, and code shared with them. */
  parts: Record<string, string>;
}

export async function bundleWeb(folder: string): Promise<WebFiles> {
  const result = await Bun.build({
    entrypoints: [join(folder, "main.tsx"), join(folder, "styles.css")],
    target: "browser",
    minify: true,
    splitting: true,
    naming: { chunk: "[hash].[ext]" },
  });
  const textOf = async (name: string) => {
    const file = result.outputs.find(({ path }) => basename(path) === name);
    if (!file) throw new Error(`The dashboard's ${name} was not built.`);
    return file.text();
  };
  const parts = result.outputs.filter(({ kind }) => kind === "chunk").map(({ path }) => basename(path));
  return {
    script: await textOf("main.js"),
    styles: await textOf("styles.css"),
    parts: Object.fromEntries(await Promise.all(parts.map(async (name) => [name, await textOf(name)] as const))),
  };
}

let bundled: Promise<WebFiles> | undefined;

export function webFiles(): Promise<WebFiles> {
  bundled ??= bundleWeb(join(import.meta.dir, "../web"));
  return bundled;
}
