// The dashboard's pages as the browser gets them. From source they are bundled at the first request;
// the build puts the finished bundle in the place of this file (see scripts/build.ts).
import { basename, join } from "node:path";

export interface WebFiles {
  /** What the page loads. */
  script: string;
  styles: string;
  /** What the script loads when it needs it, by name: the words of other languages, and what those share with it. */
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
